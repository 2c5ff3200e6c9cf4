#include "runner/virtual/barrier_objects.h"
#include "runner/virtual/async_copies.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "runner/virtual/reach.h"

namespace ambit::virtual_gpu {
namespace {

constexpr std::uint64_t kMostBytes = (std::uint64_t{1} << 23U) - 1;

bool is_test(BarrierObjectKind kind) {
  return kind == BarrierObjectKind::TestState || kind == BarrierObjectKind::TestParity;
}

void end_phase_if_complete(BarrierObject& object) {
  if (object.pending != 0 || object.bytes != 0) return;
  object.phase = object.phase ^ 1U;
  object.pending = object.expected;
}

void arrive(BarrierObject& object, std::uint64_t count) {
  object.pending = (object.pending >= count ? object.pending - count : 0) & 0xfffffU;
  end_phase_if_complete(object);
}

/// Applies an operation to the object. Returns true if the operation tests a phase and this phase is complete.
bool apply(BarrierObject& object, BarrierObjectKind kind, std::uint64_t operand) {
  switch (kind) {
    case BarrierObjectKind::Initialise:
      object = {};
      object.pending = operand & 0xfffffU;
      object.expected = operand & 0xfffffU;
      return false;
    case BarrierObjectKind::Invalidate: object = {}; return false;
    case BarrierObjectKind::Arrive: arrive(object, operand); return false;
    case BarrierObjectKind::Track: object.pending = (object.pending + 1U) & 0xfffffU; return false;
    case BarrierObjectKind::ArriveTracked: return false;  // deferred
    case BarrierObjectKind::ArriveExpect:
      object.bytes = (object.bytes + operand) & kMostBytes;
      arrive(object, 1);
      return false;
    case BarrierObjectKind::Drop:
      object.expected = (object.expected - 1U) & 0xfffffU;
      arrive(object, operand);
      return false;
    case BarrierObjectKind::Expect: object.bytes = (object.bytes + operand) & kMostBytes; return false;
    case BarrierObjectKind::Complete:
      object.bytes = (object.bytes - operand) & kMostBytes;
      end_phase_if_complete(object);
      return false;
    case BarrierObjectKind::TestState: return std::bit_cast<BarrierObject>(operand).phase != object.phase;
    case BarrierObjectKind::TestParity: return (operand & 1U) != object.phase;
  }
  return false;
}

bool tracks(BarrierObjectKind kind) {
  return kind == BarrierObjectKind::Track || kind == BarrierObjectKind::ArriveTracked;
}

/// Called before a test. If the phase waits only for deferred arrivals, the schedule chooses whether to perform the
/// copies of these arrivals now. The test then finds the phase complete.
void settle(Warp& warp, std::uint32_t offset, std::uint8_t* place) {
  auto& deferred = warp.block->deferred;
  const auto is_here = [&](const DeferredArrival& one) { return one.barrier == offset; };
  const auto count = static_cast<std::uint64_t>(std::ranges::count_if(deferred, is_here));
  if (count == 0) return;
  BarrierObject object;
  std::memcpy(&object, place, sizeof object);
  if (object.bytes != 0 || object.pending > count) return;
  Scheduler& scheduler = warp.machine->scheduler();
  if (scheduler.kind() != ScheduleKind::RoundRobin && scheduler.below(2) == 0) return;
  for (const DeferredArrival& one : deferred) {
    if (!is_here(one)) continue;
    const auto old = std::bit_cast<std::uint64_t>(object);
    arrive(object, 1);
    complete_deferred(*warp.block, one, old, std::bit_cast<std::uint64_t>(object));
  }
  std::erase_if(deferred, is_here);
  warp.machine->note_change();
  std::memcpy(place, &object, sizeof object);
}

}  // namespace

void execute_barrier_object(WarpCore& core, const Instruction& instruction) {
  Warp& warp = whole(core);
  MemoryOperation& operation = memory_of(warp, instruction);
  const auto kind = static_cast<BarrierObjectKind>(instruction.c);
  for_each_place(warp, instruction, operation, [&](Place place) {
    Reach found;
    if (!reach(warp, instruction, operation, place, 8, found)) return;
    std::uint64_t stored[kLanes];
    std::uint64_t old_values[kLanes];
    const bool is_own = found.space == AccessSpace::Shared && found.target_block == warp.block->number;
    auto done = kind;
    if (tracks(kind) && !is_own) {  // an object of another block cannot track copies
      complete_copies(warp);
      done = kind == BarrierObjectKind::ArriveTracked ? BarrierObjectKind::Arrive : BarrierObjectKind::Expect;
    }
    for_each_lane(warp.mask, [&](unsigned lane) {
      const auto offset = static_cast<std::uint32_t>(found.addresses[lane]);
      if (is_own && is_test(kind)) settle(warp, offset, found.host(lane));
      if (kind == BarrierObjectKind::Initialise || kind == BarrierObjectKind::Invalidate) {
        std::erase_if(warp.block->deferred,
                      [&](const DeferredArrival& one) { return is_own && one.barrier == offset; });
      }
      if (tracks(kind) && is_own) track_copies(warp, lane, offset, instruction.site);
      BarrierObject object;
      std::memcpy(&object, found.host(lane), sizeof object);
      const auto old = std::bit_cast<std::uint64_t>(object);
      std::uint64_t operand = done == BarrierObjectKind::Expect ? 0 : 1;
      if (instruction.b != kDiscarded) {
        operand = kind == BarrierObjectKind::TestState ? values<std::uint64_t>(warp, instruction.b)[lane]
                                                       : values<std::uint32_t>(warp, instruction.b)[lane];
      }
      const bool is_complete = apply(object, done, operand);
      if (!is_test(kind)) std::memcpy(found.host(lane), &object, sizeof object);
      stored[lane] = std::bit_cast<std::uint64_t>(object);
      old_values[lane] = old;
      if (stored[lane] != old) warp.machine->note_change();
      if (instruction.d == kDiscarded) return;
      if (is_test(kind)) {
        std::uint32_t* result = values<std::uint32_t>(warp, instruction.d);
        *result = (*result & ~(1U << lane)) | static_cast<std::uint32_t>(is_complete) << lane;
      } else {
        values<std::uint64_t>(warp, instruction.d)[lane] = old;
      }
    });
    if (!found.is_observed || warp.machine->observer() == nullptr) return;
    const bool wants = warp.machine->wants_values();
    const bool is_update = operation.kind == AccessKind::ReadModifyWrite;
    notify_access(warp, instruction, operation, found, 8, wants ? stored : nullptr,
                  wants && is_update ? old_values : nullptr, 0);
  });
}

void execute_pending_count(WarpCore& core, const Instruction& instruction) {
  for_each_lane(core.mask, [&](unsigned lane) {
    const auto object = std::bit_cast<BarrierObject>(values<std::uint64_t>(core, instruction.a)[lane]);
    values<std::uint32_t>(core, instruction.d)[lane] = static_cast<std::uint32_t>(object.pending);
  });
}

}  // namespace ambit::virtual_gpu
