#include <algorithm>
#include <cstring>
#include <string>

#include <fmt/format.h>

#include "runner/virtual/address.h"
#include "runner/virtual/control.h"
#include "runner/virtual/machine.h"
#include "runner/virtual/printf_text.h"

namespace ambit::virtual_gpu {
namespace {

constexpr std::size_t kLongestString = 1U << 20U;

std::uint64_t argument(const Warp& warp, const CallOperation& call, std::size_t index, unsigned lane) {
  if (index >= call.arguments.size()) return 0;
  const CallValue& value = call.arguments[index];
  const std::uint32_t stride = value.is_register ? value.bytes : slot_stride(value.bytes);
  std::uint64_t bits = 0;
  std::memcpy(&bits, warp.frame + value.offset + std::size_t{lane} * stride, std::min(value.bytes, 8U));
  return bits;
}

void set_result(Warp& warp, const CallOperation& call, unsigned lane, std::uint64_t bits) {
  if (call.results.empty()) return;
  const CallValue& value = call.results[0];
  const std::uint32_t stride = value.is_register ? value.bytes : slot_stride(value.bytes);
  std::memcpy(warp.frame + value.offset + std::size_t{lane} * stride, &bits, std::min(value.bytes, 8U));
}

/// Reads through a generic address; returns 0 for inaccessible bytes.
std::uint64_t read_generic(Warp& warp, unsigned lane, std::uint64_t address, unsigned bytes) {
  const std::uint8_t* from = nullptr;
  const std::uint64_t offset = address & kOffsetMask;
  Machine& machine = *warp.machine;
  switch (static_cast<Window>(window_of(address))) {
    case Window::Local:
      if (offset + bytes <= machine.local_bytes())
        from = machine.local_memory(warp) + lane * machine.local_bytes() + offset;
      break;
    case Window::Shared:
      if (offset + bytes <= warp.block->shared.size()) from = warp.block->shared.data() + offset;
      break;
    default: from = machine.memory().host_pointer(address, bytes); break;
  }
  std::uint64_t value = 0;
  if (from != nullptr) std::memcpy(&value, from, bytes);
  return value;
}

std::string read_string(Warp& warp, unsigned lane, std::uint64_t address) {
  std::string text;
  if (address == 0) return "(null)";
  while (text.size() < kLongestString) {
    const auto c = static_cast<char>(read_generic(warp, lane, address + text.size(), 1));
    if (c == '\0') break;
    text += c;
  }
  return text;
}

void print(Warp& warp, const CallOperation& call) {
  for_each_lane(warp.mask, [&](unsigned lane) {
    const std::string format = read_string(warp, lane, argument(warp, call, 0, lane));
    std::uint64_t at = argument(warp, call, 1, lane);
    std::uint64_t count = 0;
    const auto read = [&](unsigned bytes) {
      at = (at + bytes - 1) / bytes * bytes;
      const std::uint64_t value = read_generic(warp, lane, at, bytes);
      at += bytes;
      ++count;
      return value;
    };
    const auto text = [&](std::uint64_t address) { return read_string(warp, lane, address); };
    warp.machine->print(printf_text(format, read, text));
    set_result(warp, call, lane, count);
  });
}

void fail_assertion(Warp& warp, const Instruction& instruction, const CallOperation& call) {
  const auto lane = static_cast<unsigned>(__builtin_ctz(warp.mask));
  const Extent& place = warp.block->place;
  const Extent& size = warp.machine->launch().block;
  Finding wrong = Machine::finding(warp, instruction, lane, FindingKind::Assertion);
  const std::uint32_t thread = wrong.thread;
  wrong.message = fmt::format(
      "{}:{}: {}: block: [{},{},{}], thread: [{},{},{}] Assertion `{}` failed.",
      read_string(warp, lane, argument(warp, call, 1, lane)), static_cast<std::uint32_t>(argument(warp, call, 2, lane)),
      read_string(warp, lane, argument(warp, call, 3, lane)), place.x, place.y, place.z, thread % size.x,
      thread / size.x % size.y, thread / size.x / size.y, read_string(warp, lane, argument(warp, call, 0, lane)));
  warp.machine->fault(warp, LaunchEnd::Assertion, wrong);
}

/// Executes malloc. As in CUDA, malloc returns null if the heap is too small.
void allocate(Warp& warp, const CallOperation& call) {
  Machine& machine = *warp.machine;
  for_each_lane(warp.mask, [&](unsigned lane) {
    const std::uint64_t bytes = argument(warp, call, 0, lane);
    std::uint64_t address = 0;
    const std::uint64_t limit = machine.options().heap_bytes;
    if (bytes <= limit && machine.heap_in_use() <= limit - bytes) {
      address =
          machine.memory().allocate(bytes, AllocationKind::Heap, fmt::format("malloc in {}", machine.info().kernel));
    }
    if (address != 0) machine.heap_in_use() += bytes;
    set_result(warp, call, lane, address);
  });
}

void release(Warp& warp, const Instruction& instruction, const CallOperation& call) {
  Machine& machine = *warp.machine;
  for_each_lane(warp.mask, [&](unsigned lane) {
    const std::uint64_t address = argument(warp, call, 0, lane);
    if (address == 0 || machine.has_ended()) return;
    const Allocation* allocation = machine.memory().find(address, 1);
    const bool is_fine =
        allocation != nullptr && allocation->kind == AllocationKind::Heap && allocation->address == address;
    if (!is_fine) {
      Finding wrong = Machine::finding(warp, instruction, lane, FindingKind::UseAfterFree);
      wrong.address = address;
      wrong.message = fmt::format("frees {:#x}, where no live allocation of malloc in a kernel begins", address);
      machine.fault(warp, LaunchEnd::IllegalAddress, wrong);
      return;
    }
    machine.heap_in_use() -= allocation->bytes;
    machine.memory().release(address, fmt::format("free in {}", machine.info().kernel));
    machine.allocations_changed();
  });
}

}  // namespace

BuiltinFunction builtin_of(std::string_view name) {
  if (name == "vprintf") return BuiltinFunction::Vprintf;
  if (name == "__assertfail" || name == "__assert_fail") return BuiltinFunction::AssertFail;
  if (name == "malloc") return BuiltinFunction::Malloc;
  if (name == "free") return BuiltinFunction::Free;
  return BuiltinFunction::None;
}

void execute_builtin(Warp& warp, const Instruction& instruction, const CallOperation& call) {
  switch (call.builtin) {
    case BuiltinFunction::Vprintf: print(warp, call); break;
    case BuiltinFunction::AssertFail: fail_assertion(warp, instruction, call); break;
    case BuiltinFunction::Malloc: allocate(warp, call); break;
    case BuiltinFunction::Free: release(warp, instruction, call); break;
    case BuiltinFunction::None: break;
  }
}

}  // namespace ambit::virtual_gpu
