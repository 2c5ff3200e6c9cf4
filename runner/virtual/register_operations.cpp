#include "runner/virtual/register_operations.h"

#include <cstring>

#include "runner/virtual/address.h"
#include "runner/virtual/block.h"

namespace ambit::virtual_gpu {
namespace {

std::uint32_t mask_at(WarpCore& core, std::uint32_t offset, bool negates) {
  const std::uint32_t mask = *values<std::uint32_t>(core, offset);
  return negates ? ~mask : mask;
}
std::uint32_t first(WarpCore& core, const Instruction& i) { return mask_at(core, i.a, (i.value & 1) != 0); }
std::uint32_t second(WarpCore& core, const Instruction& i) { return mask_at(core, i.b, (i.value & 2) != 0); }
void set(WarpCore& core, const Instruction& i, std::uint32_t bits) {
  std::uint32_t* to = values<std::uint32_t>(core, i.d);
  *to = (*to & ~core.mask) | (bits & core.mask);
}

std::uint64_t address_at(WarpCore& core, std::uint32_t offset, std::uint32_t bytes, unsigned lane) {
  return bytes == 8 ? values<std::uint64_t>(core, offset)[lane] : values<std::uint32_t>(core, offset)[lane];
}

}  // namespace

void execute_predicate_and(WarpCore& core, const Instruction& i) { set(core, i, first(core, i) & second(core, i)); }
void execute_predicate_or(WarpCore& core, const Instruction& i) { set(core, i, first(core, i) | second(core, i)); }
void execute_predicate_xor(WarpCore& core, const Instruction& i) { set(core, i, first(core, i) ^ second(core, i)); }
void execute_predicate_move(WarpCore& core, const Instruction& i) { set(core, i, first(core, i)); }

void execute_wide_move(WarpCore& core, const Instruction& i) {
  for_each_lane(core.mask, [&](unsigned lane) {
    std::memmove(core.frame + i.d + std::size_t{lane} * 16, core.frame + i.a + std::size_t{lane} * 16, 16);
  });
}

void execute_pack(WarpCore& core, const Instruction& i) {
  const MemoryOperation& parts = whole(core).running_frame->function->memory[i.extra];
  const auto bytes = static_cast<std::size_t>(i.value);
  for_each_lane(core.mask, [&](unsigned lane) {
    std::uint8_t packed[32] = {};
    for (unsigned k = 0; k < parts.elements; ++k) {
      std::memcpy(packed + std::size_t{k} * parts.element_bytes,
                  core.frame + parts.registers[k] + std::size_t{lane} * parts.register_bytes, parts.element_bytes);
    }
    std::memcpy(core.frame + i.d + lane * bytes, packed, bytes);
  });
}

void execute_unpack(WarpCore& core, const Instruction& i) {
  const MemoryOperation& parts = whole(core).running_frame->function->memory[i.extra];
  const auto bytes = static_cast<std::size_t>(i.value);
  for_each_lane(core.mask, [&](unsigned lane) {
    std::uint8_t packed[32] = {};
    std::memcpy(packed, core.frame + i.a + lane * bytes, bytes);
    for (unsigned k = 0; k < parts.elements; ++k) {
      if (parts.registers[k] == kDiscarded) continue;
      std::uint8_t* to = core.frame + parts.registers[k] + std::size_t{lane} * parts.register_bytes;
      std::memset(to, 0, parts.register_bytes);
      std::memcpy(to, packed + std::size_t{k} * parts.element_bytes, parts.element_bytes);
    }
  });
}

void execute_mask_and_add(WarpCore& core, const Instruction& i) {
  const std::uint64_t* a = values<std::uint64_t>(core, i.a);
  const std::uint64_t* b = values<std::uint64_t>(core, i.b);
  const std::uint64_t* c = values<std::uint64_t>(core, i.c);
  std::uint64_t* d = values<std::uint64_t>(core, i.d);
  for_each_lane(core.mask, [&](unsigned lane) { d[lane] = (a[lane] & b[lane]) + c[lane]; });
}

void execute_is_space(WarpCore& core, const Instruction& i) {
  const std::uint64_t* a = values<std::uint64_t>(core, i.a);
  std::uint32_t bits = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    bits |= window_of(a[lane]) == static_cast<std::uint8_t>(i.value) ? 1U << lane : 0U;
  }
  set(core, i, bits);
}

void execute_map_address(WarpCore& core, const Instruction& i) {
  const std::uint32_t* rank = values<std::uint32_t>(core, i.b);
  for_each_lane(core.mask, [&](unsigned lane) {
    const std::uint64_t offset = address_at(core, i.a, i.extra, lane) & kSharedOffsetMask;
    const std::uint64_t made = offset | (std::uint64_t{rank[lane]} + 1) << kClusterRankShift |
                               static_cast<std::uint64_t>(i.value) << kWindowShift;
    std::memcpy(core.frame + i.d + std::size_t{lane} * i.extra, &made, i.extra);
  });
}

void execute_block_rank(WarpCore& core, const Instruction& i) {
  const std::uint32_t own = whole(core).block->rank;
  for_each_lane(core.mask, [&](unsigned lane) {
    const std::uint64_t rank = (address_at(core, i.a, i.extra, lane) & kOffsetMask) >> kClusterRankShift;
    values<std::uint32_t>(core, i.d)[lane] = rank == 0 ? own : static_cast<std::uint32_t>(rank - 1);
  });
}

void execute_active_mask(WarpCore& core, const Instruction& i) {
  for_each_lane(core.mask, [&](unsigned lane) { values<std::uint32_t>(core, i.d)[lane] = core.mask; });
}

}  // namespace ambit::virtual_gpu
