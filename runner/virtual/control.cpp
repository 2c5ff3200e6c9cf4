#include "runner/virtual/control.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "runner/virtual/address.h"
#include "runner/virtual/groups.h"
#include "runner/virtual/machine.h"
#include "runner/virtual/special_registers.h"

namespace ambit::virtual_gpu {
namespace {

/// Limit on the depth of calls. The limit stops infinite recursion, unless local memory is exhausted first.
constexpr std::uint32_t kDeepestCall = 20'000;
/// This number of backward jumps without a synchronising access counts as one poll, because a racy program may wait for
/// a plain store.
constexpr std::uint32_t kLoopsOfPoll = 1024;

/// Returns whether the running lanes wait for other warps. Lanes wait if two iterations of their loop accessed the same
/// places, memory did not change in between, and no other lanes of the warp can run.
bool repeats_poll(Warp& warp) {
  const std::uint64_t changes = warp.machine->changes();
  const bool is_same = warp.polled == warp.polled_before && changes == warp.polled_at;
  warp.polled_before = std::exchange(warp.polled, 0);
  warp.polled_at = changes;
  if (!is_same || warp.machine->options().memory == MemoryMode::Gpu) return false;
  return std::ranges::none_of(warp.groups, [](const Group& group) { return group.state == GroupState::Runnable; });
}

/// Counts a backward jump of the running lanes. Lanes that only poll yield their turn, first to other lanes of their
/// warp (groups.h), then to other warps.
void count_backward(Warp& warp) {
  if (warp.has_synchronised) {
    warp.has_synchronised = false;
    ++warp.polls;
    warp.repeats_poll = repeats_poll(warp);
    if (++warp.polls_of_turn >= kPollsOfTurn || warp.repeats_poll) warp.is_interrupted = true;
  } else if (++warp.loops % kLoopsOfPoll == 0) {
    ++warp.polls_of_turn;
  }
}

/// Moves the lanes `taken` to `target`; the other running lanes continue at the next instruction. The lanes at the
/// lower of these two instructions run first.
void jump(Warp& warp, const Instruction& from, std::uint32_t taken, const Instruction* target) {
  const std::uint32_t stay = warp.active & ~taken;
  const bool is_backward = target <= &from;
  if (is_backward) count_backward(warp);
  if (stay == 0) {
    warp.next = target;
    if (!warp.groups.empty()) warp.is_interrupted = true;
    return;
  }
  const Instruction* next = warp.next;
  warp.active = is_backward ? stay : taken;
  const std::uint32_t polls = warp.polls;
  const std::uint32_t loops = warp.loops;
  set_aside(warp, is_backward ? next : target);
  warp.active = is_backward ? taken : stay;
  warp.next = is_backward ? target : next;
  warp.polls = polls;
  warp.loops = loops;
  warp.is_interrupted = true;
}

std::uint8_t* slot(Frame& frame, const CallValue& value, unsigned lane) {
  const std::uint32_t stride = value.is_register ? value.bytes : slot_stride(value.bytes);
  return frame.data() + value.offset + std::size_t{lane} * stride;
}

void hand_over(Frame& from, const std::vector<CallValue>& sources, Frame& to, const std::vector<CallValue>& targets,
               std::uint32_t lanes) {
  const std::size_t count = std::min(sources.size(), targets.size());
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t bytes = std::min(sources[i].bytes, targets[i].bytes);
    for_each_lane(lanes,
                  [&](unsigned lane) { std::memcpy(slot(to, targets[i], lane), slot(from, sources[i], lane), bytes); });
  }
}

void refuse(Warp& warp, const Instruction& instruction, std::string message) {
  const auto lane = static_cast<unsigned>(__builtin_ctz(warp.mask));
  Finding wrong = Machine::finding(warp, instruction, lane, FindingKind::IllegalInstruction);
  wrong.message = std::move(message);
  warp.machine->fault(warp, LaunchEnd::IllegalInstruction, wrong);
}

/// Makes the lanes `lanes` enter a function. The other running lanes continue after the call instruction.
void enter(Warp& warp, const Instruction& instruction, const CallOperation& call, FunctionCode& function,
           std::uint32_t lanes) {
  Frame& caller = *warp.running_frame;
  const std::uint64_t local = caller.local_base + slot_stride(caller.function->local_bytes) + function.local_bytes;
  if (caller.depth >= kDeepestCall || local > warp.machine->local_bytes()) {
    refuse(warp, instruction,
           fmt::format("the stack overflows in a call of {}, {} calls deep", function.name, caller.depth + 1));
    return;
  }
  Frame* frame = warp.machine->make_frame(function, warp, &caller);
  frame->lanes = lanes;
  frame->return_to = warp.next;
  frame->call = &call;
  hand_over(caller, call.arguments, *frame, function.parameters, lanes);
  const std::uint32_t past = warp.active & ~lanes;
  const Instruction* next = warp.next;
  warp.active = past;
  set_aside(warp, next);
  warp.active = lanes;
  warp.running_frame = frame;
  warp.frame = frame->data();
  warp.next = function.instructions.data();
  warp.is_interrupted = true;
}

}  // namespace

void execute_branch(WarpCore& core, const Instruction& instruction) {
  jump(whole(core), instruction, core.mask, instruction.target);
}

void execute_indexed_branch(WarpCore& core, const Instruction& instruction) {
  Warp& warp = whole(core);
  const auto& table = warp.running_frame->function->targets[instruction.extra];
  const std::uint32_t* index = values<std::uint32_t>(warp, instruction.a);
  const std::uint32_t first = index[__builtin_ctz(warp.mask)];
  if (first >= table.size()) {
    refuse(warp, instruction, fmt::format("a branch to target {} of {}", first, table.size()));
    return;
  }
  std::uint32_t same = 0;
  for_each_lane(warp.mask, [&](unsigned lane) { same |= index[lane] == first ? 1U << lane : 0U; });
  const std::uint32_t others = warp.mask & ~same;
  const Instruction* next = warp.next;
  if (others != 0) {  // the other lanes execute the instruction again
    const std::uint32_t rest = warp.active & ~others;
    warp.active = others;
    set_aside(warp, &instruction);
    warp.active = rest;
    warp.next = next;
  }
  jump(warp, instruction, same, table[first]);
}

void execute_call(WarpCore& core, const Instruction& instruction) {
  Warp& warp = whole(core);
  const CallOperation& call = warp.running_frame->function->calls[instruction.extra];
  if (call.builtin != BuiltinFunction::None) {
    execute_builtin(warp, instruction, call);
    return;
  }
  enter(warp, instruction, call, *warp.machine->code().functions[static_cast<std::size_t>(call.function)], warp.mask);
}

void execute_indirect_call(WarpCore& core, const Instruction& instruction) {
  Warp& warp = whole(core);
  const CallOperation& call = warp.running_frame->function->calls[instruction.extra];
  const std::uint64_t* address = values<std::uint64_t>(warp, instruction.a);
  const std::uint64_t first = address[__builtin_ctz(warp.mask)];
  std::uint32_t same = 0;
  for_each_lane(warp.mask, [&](unsigned lane) { same |= address[lane] == first ? 1U << lane : 0U; });
  const KernelCode& code = warp.machine->code();
  const std::uint64_t number = first & kOffsetMask;
  const bool is_function = window_of(first) == static_cast<std::uint8_t>(Window::Function) &&
                           number < code.index_of.size() && code.index_of[number] >= 0;
  if (!is_function) {
    refuse(warp, instruction, fmt::format("a call of {:#x}, which is not the address of a function", first));
    return;
  }
  const std::uint32_t others = warp.mask & ~same;
  if (others != 0) {  // the other lanes execute the instruction again
    const Instruction* next = warp.next;
    const std::uint32_t rest = warp.active & ~others;
    warp.active = others;
    set_aside(warp, &instruction);
    warp.active = rest;
    warp.next = next;
  }
  enter(warp, instruction, call, *code.functions[static_cast<std::size_t>(code.index_of[number])], same);
}

void execute_return(WarpCore& core, const Instruction& instruction) {
  Warp& warp = whole(core);
  Frame* frame = warp.running_frame;
  if (frame->parent == nullptr) {
    execute_exit(core, instruction);
    return;
  }
  const std::uint32_t lanes = warp.mask;
  hand_over(*frame, frame->function->results, *frame->parent, frame->call->results, lanes);
  const std::uint32_t stay = warp.active & ~lanes;
  const Instruction* next = warp.next;
  warp.active = stay;
  set_aside(warp, next);
  warp.active = lanes;
  warp.running_frame = frame->parent;
  warp.frame = frame->parent->data();
  warp.next = frame->return_to;
  frame->lanes &= ~lanes;
  if (frame->lanes == 0) warp.machine->drop_frame(frame);
  warp.is_interrupted = true;
}

void execute_exit(WarpCore& core, const Instruction& /*instruction*/) {
  Warp& warp = whole(core);
  warp.machine->exit_lanes(warp, warp.mask);
}

void execute_trap(WarpCore& core, const Instruction& instruction) {
  Warp& warp = whole(core);
  const auto lane = static_cast<unsigned>(__builtin_ctz(warp.mask));
  Finding wrong = Machine::finding(warp, instruction, lane, FindingKind::Trap);
  wrong.message = "executes trap";
  warp.machine->fault(warp, LaunchEnd::Trap, wrong);
}

void execute_nothing(WarpCore& /*core*/, const Instruction& /*instruction*/) {}

void execute_sleep(WarpCore& core, const Instruction& /*instruction*/) { whole(core).has_synchronised = true; }

std::uint32_t pack_fence(Order order, Scope scope) {
  return static_cast<std::uint32_t>(order) << 8U | static_cast<std::uint32_t>(scope);
}

void execute_fence(WarpCore& core, const Instruction& instruction) {
  Warp& warp = whole(core);
  warp.has_synchronised = true;
  const bool is_wide = static_cast<Scope>(instruction.extra & 0xffU) > Scope::Block;
  if (is_wide && !warp.block->copies.is_empty()) warp.block->copies.drop_all(warp.machine->memory());
  Observer* observer = warp.machine->observer();
  if (observer == nullptr) return;
  observer->fence(instruction.site, warp.block->number, warp.number, warp.mask,
                  static_cast<Order>(instruction.extra >> 8U), static_cast<Scope>(instruction.extra & 0xffU));
}

void execute_read_special(WarpCore& core, const Instruction& instruction) {
  Warp& warp = whole(core);
  const auto special = static_cast<ptx::SpecialRegister>(instruction.extra);
  const auto bytes = static_cast<std::size_t>(instruction.value);
  warp.has_synchronised = true;  // A loop around the instruction counts as a wait.
  warp.machine->note_change();   // The lanes may wait for a point in time.
  for_each_lane(warp.mask, [&](unsigned lane) {
    const std::uint64_t value = special_value(warp, special, lane);
    std::memcpy(warp.frame + instruction.d + lane * bytes, &value, bytes);
  });
}

}  // namespace ambit::virtual_gpu
