#include "runner/virtual/barriers.h"

#include <cstring>
#include <string>

#include <fmt/format.h>

#include "runner/virtual/groups.h"
#include "runner/virtual/machine.h"

namespace ambit::virtual_gpu {
namespace {

std::uint32_t lanes_of(std::uint32_t mask) { return static_cast<std::uint32_t>(__builtin_popcount(mask)); }

/// Returns the mask of the lanes whose bar.red predicate is true.
std::uint32_t predicate_of(const Frame& frame, const BarrierOperation& operation) {
  std::uint32_t mask = 0;
  if (operation.predicate != kDiscarded) std::memcpy(&mask, frame.data() + operation.predicate, sizeof mask);
  return operation.negates ? ~mask : mask;
}

const BarrierOperation& operation_of(const Group& group) { return group.frame->function->barriers[group.at->extra]; }

void set_results(Group& group, const Barrier& barrier, std::uint32_t threads) {
  const BarrierOperation& operation = operation_of(group);
  if (operation.result == kDiscarded) return;
  std::uint8_t* result = group.frame->data() + operation.result;
  if (operation.kind == BarrierKind::CountTrue) {
    for_each_lane(group.lanes,
                  [&](unsigned lane) { std::memcpy(result + std::size_t{lane} * 4, &barrier.reduced, 4); });
    return;
  }
  const bool holds = operation.kind == BarrierKind::All ? barrier.reduced == threads : barrier.reduced != 0;
  std::uint32_t mask = 0;
  std::memcpy(&mask, result, 4);
  mask = holds ? mask | group.lanes : mask & ~group.lanes;
  std::memcpy(result, &mask, 4);
}

/// Releases the lanes of a warp that wait at a barrier. Reports a finding if lanes wait at two different instructions
/// with .aligned. PTX does not define the result if lanes reach an aligned barrier on different paths.
void release(Warp& warp, std::uint32_t number, const Barrier& barrier) {
  const Instruction* first = nullptr;
  for (Group& group : warp.groups) {
    if (group.state != GroupState::Barrier || group.barrier != number) continue;
    if (first != nullptr && first->site != group.at->site && operation_of(group).is_aligned) {
      const auto lane = static_cast<unsigned>(__builtin_ctz(group.lanes));
      Finding wrong = Machine::finding(warp, *group.at, lane, FindingKind::BarrierDivergence);
      wrong.message =
          fmt::format("lanes of warp {} meet at two different instructions of barrier {}", warp.number, number);
      warp.machine->add_finding(wrong);
    }
    first = group.at;
    set_results(group, barrier, barrier.arrived);
    group.state = GroupState::Runnable;
    ++group.at;
    group.polls = 0;
    warp.machine->scheduler().add(warp);
    warp.is_interrupted = true;
  }
}

/// Returns the operand's value in the first active lane. Sets `same` to the active lanes that have this value.
std::uint32_t uniform(Warp& warp, std::uint32_t offset, std::uint32_t& same) {
  const std::uint32_t* value = values<std::uint32_t>(warp, offset);
  const std::uint32_t first = value[__builtin_ctz(same)];
  for_each_lane(same, [&](unsigned lane) {
    if (value[lane] != first) same &= ~(1U << lane);
  });
  return first;
}

}  // namespace

void execute_barrier(WarpCore& core, const Instruction& instruction) {
  Warp& warp = whole(core);
  const BarrierOperation& operation = warp.running_frame->function->barriers[instruction.extra];
  std::uint32_t lanes = warp.mask;
  const std::uint32_t number = uniform(warp, operation.number, lanes);
  const std::uint32_t count = operation.count == kDiscarded ? 0 : uniform(warp, operation.count, lanes);
  const auto refuse = [&](std::string message) {
    Finding wrong = Machine::finding(warp, instruction, static_cast<unsigned>(__builtin_ctz(lanes)),
                                     FindingKind::IllegalInstruction);
    wrong.message = std::move(message);
    warp.machine->fault(warp, LaunchEnd::IllegalInstruction, wrong);
  };
  if (number >= 16) return refuse(fmt::format("there is no barrier {}: a block has 16", number));
  if (operation.count != kDiscarded && (count == 0 || count % kLanes != 0)) {
    return refuse(fmt::format("a barrier for {} threads: expected a multiple of {}", count, kLanes));
  }
  Barrier& barrier = warp.block->barriers[number];
  if (barrier.is_used && barrier.count != count) {
    return refuse(fmt::format("barrier {} waits for {} threads and then for {}", number, barrier.count, count));
  }
  barrier.is_used = true;
  barrier.count = count;
  // A count is a number of whole warps, so it includes lanes that have exited or never existed.
  const bool is_whole = count != 0 && lanes == warp.alive;
  barrier.arrived += is_whole ? kLanes : lanes_of(lanes);
  const bool is_arrive = operation.kind == BarrierKind::Arrive;
  const std::uint32_t predicate = predicate_of(*warp.running_frame, operation) & lanes;
  barrier.reduced +=
      lanes_of(predicate) + (is_whole && operation.kind == BarrierKind::All ? kLanes - lanes_of(lanes) : 0);
  if (Observer* observer = warp.machine->observer(); observer != nullptr) {
    observer->barrier({instruction.site, warp.block->number, warp.number, lanes, number, count, is_arrive, false});
  }
  const std::uint32_t others = warp.mask & ~lanes;
  const std::uint32_t past = (warp.active & ~warp.mask) | (is_arrive ? lanes : 0);
  const Instruction* next = warp.next;
  if (!is_arrive) {
    warp.active = lanes;
    park(warp, &instruction, GroupState::Barrier).barrier = number;
  }
  if (!is_arrive || others != 0) {
    warp.active = others;
    set_aside(warp, &instruction);
    warp.active = past;
    set_aside(warp, next);
  }
  warp.machine->complete_barriers(*warp.block);
}

/// Returns whether all bytes of shared memory have been written. If so, checks for uninitialised reads are unnecessary.
static bool is_complete(const Block& block) {
  const std::size_t whole = block.shared_bytes / 8;
  for (std::size_t i = 0; i < whole; ++i) {
    if (block.shared_stored[i] != 0xff) return false;
  }
  return block.shared_bytes % 8 == 0;
}

void Machine::complete_barriers(Block& block) {
  for (std::uint32_t number = 0; number < block.barriers.size(); ++number) {
    Barrier& barrier = block.barriers[number];
    const std::uint32_t needed = barrier.count == 0 ? block.alive : barrier.count;
    if (!barrier.is_used || barrier.arrived < needed) continue;
    const Barrier done = barrier;
    barrier = {};
    note_change();
    for (const auto& warp : block.warps) release(*warp, number, done);
    if (!block.shared_stored.empty() && is_complete(block)) block.shared_stored.clear();
    if (observer() != nullptr) observer()->barrier_complete(block.number, number);
  }
}

void execute_cluster_arrive(WarpCore& core, const Instruction& instruction) {
  Warp& warp = whole(core);
  Machine& machine = *warp.machine;
  if (machine.observer() != nullptr) {
    machine.observer()->barrier(
        {instruction.site, warp.block->number, warp.number, warp.mask, kClusterBarrier, 0, true, false});
  }
  Cluster* cluster = warp.block->cluster;
  for_each_lane(warp.mask, [&](unsigned lane) { warp.cluster_phases[lane] = cluster->phase; });
  cluster->arrived += lanes_of(warp.mask);
  machine.complete_cluster_barrier(*cluster);
}

void execute_cluster_wait(WarpCore& core, const Instruction& instruction) {
  Warp& warp = whole(core);
  Machine& machine = *warp.machine;
  if (machine.observer() != nullptr) {
    machine.observer()->barrier(
        {instruction.site, warp.block->number, warp.number, warp.mask, kClusterBarrier, 0, false, true});
  }
  const Cluster* cluster = warp.block->cluster;
  std::uint32_t waiting = 0;
  for_each_lane(warp.mask, [&](unsigned lane) {
    if (warp.cluster_phases[lane] == cluster->phase) waiting |= 1U << lane;
  });
  if (waiting == 0) return;
  const std::uint32_t past = warp.active & ~waiting;
  const Instruction* next = warp.next;
  warp.active = waiting;
  park(warp, &instruction, GroupState::ClusterBarrier).barrier = cluster->phase;
  warp.active = past;
  set_aside(warp, next);
}

void Machine::complete_cluster_barrier(Cluster& cluster) {
  std::uint32_t alive = 0;
  for (const Block* block : cluster.blocks) alive += block->alive;
  if (alive == 0 || cluster.arrived < alive) return;
  cluster.arrived = 0;
  ++cluster.phase;
  note_change();
  for (Block* block : cluster.blocks) {
    for (const auto& warp : block->warps) {
      for (Group& group : warp->groups) {
        if (group.state != GroupState::ClusterBarrier) continue;
        group.state = GroupState::Runnable;
        ++group.at;
        scheduler_.add(*warp);
        warp->is_interrupted = true;
      }
    }
  }
  if (observer() != nullptr) observer()->barrier_complete(cluster.first_block, kClusterBarrier);
}

namespace {

std::string waits_for(const Group& group, const Warp& warp) {
  switch (group.state) {
    case GroupState::Barrier: {
      const Barrier& barrier = warp.block->barriers[group.barrier];
      const std::uint32_t needed = barrier.count == 0 ? warp.block->alive : barrier.count;
      return fmt::format("wait at barrier {}, where {} of {} threads have arrived", group.barrier, barrier.arrived,
                         needed);
    }
    case GroupState::ClusterBarrier: return "wait at the barrier of their cluster";
    case GroupState::Exchange:
      return fmt::format("wait for the lanes {:#010x} of their warp", group.member_mask & warp.alive & ~group.lanes);
    case GroupState::Runnable: break;
  }
  return {};
}

}  // namespace

std::vector<UnfinishedThreads> Machine::unfinished_threads() const {
  constexpr std::size_t kMaximumLines = 40;
  std::vector<UnfinishedThreads> lines;
  const auto add = [&](const Group& group, const Warp& warp) {
    const std::string what = waits_for(group, warp);
    for (UnfinishedThreads& line : lines) {
      if (line.site == group.at->site && line.what == what) {
        line.threads += lanes_of(group.lanes);
        return;
      }
    }
    if (lines.size() == kMaximumLines) return;
    const std::uint32_t thread = warp.number * kLanes + static_cast<std::uint32_t>(__builtin_ctz(group.lanes));
    lines.push_back({group.at->site, warp.block->number, thread, lanes_of(group.lanes), what});
  };
  for (const auto& block : blocks_) {
    for (const auto& warp : block->warps) {
      for (const Group& group : warp->groups) add(group, *warp);
      if (warp->active == 0) continue;
      Group running;
      running.at = warp->next;
      running.lanes = warp->active;
      add(running, *warp);
    }
  }
  return lines;
}

/// Reports a stall if other work could change the polled memory. Otherwise reports a deadlock.
void Machine::report_stall() {
  if (options().others_can_store && options().others_can_store()) return stop(LaunchEnd::Stalled);
  report_deadlock();
  report_.findings.back().message =
      "no thread can continue: all running threads poll memory that no thread of the launch changes";
}

void Machine::report_deadlock() {
  stop(LaunchEnd::Deadlock);
  Finding stuck;
  stuck.kind = FindingKind::Deadlock;
  stuck.message = "no thread can continue";
  if (!report_.unfinished.empty()) {
    stuck.site = report_.unfinished[0].site;
    stuck.block = report_.unfinished[0].block;
    stuck.thread = report_.unfinished[0].thread;
    stuck.message += ": " + std::to_string(report_.unfinished[0].threads) + " threads " + report_.unfinished[0].what;
  }
  report_.findings.push_back(stuck);
}

}  // namespace ambit::virtual_gpu
