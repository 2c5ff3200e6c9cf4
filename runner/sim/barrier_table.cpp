#include "runner/sim/barrier_table.h"

#include <algorithm>
#include <map>
#include <span>
#include <utility>

namespace ambit::sim {
namespace {

/// A block has 16 barriers (PTX ISA, bar).
constexpr Value kBarrierResources = 16;
/// If a thread count is a multiple of this number, a barrier counts whole warps. The arrival of a warp then includes
/// the lanes that have exited, have no code or do not exist.
constexpr std::uint32_t kLanes = 32;

/// Returns the number that identifies a barrier of a block or a kernel boundary.
std::uint32_t id_of(const Barrier& barrier) {
  return barrier.kind == BarrierKind::Block || barrier.kind == BarrierKind::Grid ? barrier.id : 0;
}

bool uses_boundary(const Thread& thread, std::uint32_t id) {
  return std::ranges::any_of(thread.code, [id](const Instruction& instruction) {
    const auto* barrier = std::get_if<Barrier>(&instruction.operation);
    return barrier != nullptr && barrier->is_boundary && barrier->id == id;
  });
}

bool can_meet(const Barrier& barrier, const Thread& first, const Thread& second) {
  const ThreadPlace& a = first.place;
  const ThreadPlace& b = second.place;
  switch (barrier.kind) {
    case BarrierKind::Block: return same_instance(a, b, Scope::Block);
    case BarrierKind::Cluster: return same_instance(a, b, Scope::Cluster);
    case BarrierKind::Grid:
      return barrier.is_boundary ? uses_boundary(second, barrier.id) : same_instance(a, b, Scope::Device);
    case BarrierKind::Warp: {
      const bool is_named = ((barrier.mask >> (static_cast<unsigned>(b.lane) % 32U)) & 1U) != 0;
      return same_instance(a, b, Scope::Block) && a.warp == b.warp && is_named;
    }
  }
  return false;
}

/// Returns the number of threads launched in the blocks of a group. The launch may have more threads than the program
/// lists.
std::uint32_t launched(const Program& program, BarrierKind kind, const std::vector<std::uint32_t>& members) {
  const auto present = static_cast<std::uint32_t>(members.size());
  if (kind == BarrierKind::Warp || members.empty()) return present;
  std::uint32_t sum = 0;
  for (const BlockSize& block : program.blocks) {
    if (block.gpu != program.threads[members.front()].place.gpu) continue;
    const bool has_member = std::any_of(members.begin(), members.end(),
                                        [&](std::uint32_t t) { return program.threads[t].place.block == block.block; });
    if (has_member || kind == BarrierKind::Grid) sum += block.threads;
  }
  return std::max(sum, present);
}

}  // namespace

Barriers::Barriers(const Program& program) : program_(program), of_thread_(program.threads.size()) {
  for (std::uint32_t t = 0; t < program.threads.size(); ++t) {
    for (const Instruction& instruction : program.threads[t].code) {
      const auto* barrier = std::get_if<Barrier>(&instruction.operation);
      if (barrier == nullptr) continue;
      if (!barrier->resource) {
        add(program, t, *barrier, 0);
      } else if (barrier->resource->is_constant()) {
        const Value resource = barrier->resource->constant;
        if (resource >= 0 && resource < kBarrierResources) add(program, t, *barrier, resource);
      } else {
        for (Value resource = 0; resource < kBarrierResources; ++resource) add(program, t, *barrier, resource);
      }
    }
  }
}

void Barriers::add(const Program& program, std::uint32_t thread, const Barrier& barrier, Value resource) {
  if (const auto known = find(thread, barrier, resource)) {
    groups_[*known].has_count |= barrier.count.has_value();
    return;
  }
  Group group;
  group.kind = barrier.kind;
  group.id = id_of(barrier);
  group.resource = resource;
  group.mask = barrier.kind == BarrierKind::Warp ? barrier.mask : 0;
  group.has_count = barrier.count.has_value();
  bool has_thread = false;
  for (std::uint32_t t = 0; t < program.threads.size(); ++t) {
    if (!can_meet(barrier, program.threads[thread], program.threads[t])) continue;
    group.members.push_back(t);
    has_thread = has_thread || t == thread;
  }
  // A thread that is not in its own mask waits for the lanes in the mask. The CUDA guide does not define the behaviour
  // of a thread outside of its mask.
  group.everyone = barrier.is_boundary ? static_cast<std::uint32_t>(group.members.size())
                                       : launched(program, barrier.kind, group.members);
  group.named = static_cast<std::uint32_t>(group.members.size());
  if (!has_thread) group.members.push_back(thread);
  if (barrier.kind == BarrierKind::Grid && !barrier.is_boundary) find_leaders(program, group);
  group.first_slot = slots_;
  slots_ += group.members.size();
  const auto id = static_cast<std::uint32_t>(groups_.size());
  for (const std::uint32_t t : group.members) of_thread_[t].push_back(id);
  groups_.push_back(std::move(group));
}

std::optional<std::uint32_t> Barriers::find(std::uint32_t thread, const Barrier& barrier, Value resource) const {
  const std::uint32_t id = id_of(barrier);
  const std::uint32_t mask = barrier.kind == BarrierKind::Warp ? barrier.mask : 0;
  for (const std::uint32_t g : of_thread_[thread]) {
    const Group& group = groups_[g];
    if (group.kind == barrier.kind && group.id == id && group.mask == mask && group.resource == resource) return g;
  }
  return std::nullopt;
}

std::size_t Barriers::slot(std::uint32_t barrier, std::uint32_t thread) const {
  const Group& group = groups_[barrier];
  const auto found = std::find(group.members.begin(), group.members.end(), thread);
  AMBIT_ASSERT(found != group.members.end());
  return group.first_slot + static_cast<std::size_t>(found - group.members.begin());
}

/// Finds the leader of each block, its first thread. cooperative_groups::grid_group::sync counts the arrival of thread
/// 0 as the arrival of its block (cooperative_groups/details/sync.h).
void Barriers::find_leaders(const Program& program, Group& group) const {
  const auto place_of = [&](std::uint32_t t) { return program.threads[t].place; };
  for (const std::uint32_t t : group.members) {
    group.is_leader.push_back(std::ranges::none_of(group.members, [&](std::uint32_t other) {
      const ThreadPlace mine = place_of(t);
      const ThreadPlace place = place_of(other);
      return mine.block == place.block && std::pair(place.warp, place.lane) < std::pair(mine.warp, mine.lane);
    }));
  }
  if (group.members.empty()) return;
  group.has_lost_leader = std::ranges::any_of(program.blocks, [&](const BlockSize& block) {
    if (block.gpu != place_of(group.members.front()).gpu || block.threads == 0) return false;
    const auto is_in_block = [&](std::uint32_t t) { return place_of(t).block == block.block; };
    if (std::ranges::count_if(group.members, is_in_block) == static_cast<std::ptrdiff_t>(block.threads)) return false;
    return std::ranges::none_of(group.members, [&](std::uint32_t t) {
      return is_in_block(t) && place_of(t).warp == 0 && place_of(t).lane == 0;
    });
  });
}

std::uint32_t Barriers::arrive(State& state, std::uint32_t barrier, std::uint32_t thread,
                               std::uint32_t expected) const {
  const std::size_t at = slot(barrier, thread);
  const auto words = std::span(state.phases).subspan(barrier * kBarrierWords).first<kBarrierWords>();
  const std::uint32_t mine = words[0];
  std::uint32_t& arrived = words[1];
  std::uint32_t& waited_for = words[2];
  std::uint32_t& is_broken = words[3];
  state.arrivals[at] = mine + 1;
  if (at - groups_[barrier].first_slot >= groups_[barrier].named) return mine;
  if (arrived > 0 && waited_for != expected) is_broken = 1;
  waited_for = expected;
  ++arrived;
  complete(state, barrier);
  return mine;
}

void Barriers::rebase(State& state) const {
  // The current phase becomes phase 1, and all completed phases become phase 0. An arrival is stored as the phase's
  // number plus one; 0 means that the thread has not arrived yet.
  for (std::uint32_t barrier = 0; barrier < groups_.size(); ++barrier) {
    std::uint32_t& current = state.phases[barrier * kBarrierWords];
    for (std::size_t i = 0; i < groups_[barrier].members.size(); ++i) {
      std::uint32_t& arrival = state.arrivals[groups_[barrier].first_slot + i];
      if (arrival != 0) arrival = arrival == current + 1 ? 2 : 1;
    }
    current = 1;
  }
}

std::vector<std::uint32_t> Barriers::exit(State& state, std::uint32_t thread) const {
  std::vector<std::uint32_t> completed;
  for (const std::uint32_t barrier : of_thread_[thread]) {
    if (complete(state, barrier)) completed.push_back(barrier);
  }
  return completed;
}

bool Barriers::complete(State& state, std::uint32_t barrier) const {
  const auto words = std::span(state.phases).subspan(barrier * kBarrierWords).first<kBarrierWords>();
  if (words[1] == 0 || words[3] != 0 || !has_all(state, barrier)) return false;
  ++words[0];
  words[1] = words[2] = 0;
  return true;
}

bool Barriers::has_all(const State& state, std::uint32_t barrier) const {
  const Group& group = groups_[barrier];
  const auto words = std::span(state.phases).subspan(barrier * kBarrierWords).first<kBarrierWords>();
  if (group.has_count) {
    const std::uint32_t others =
        words[2] % kLanes == 0 && group.kind == BarrierKind::Block ? lanes_without(state, group, words[0]) : 0;
    return words[1] + others >= words[2];
  }
  if (words[1] >= words[2]) return true;
  if (group.has_lost_leader) return false;
  for (std::size_t i = 0; i < group.named; ++i) {
    if (state.arrivals[group.first_slot + i] == words[0] + 1) continue;
    const bool is_needed = !group.is_leader.empty() && group.is_leader[i];
    if (is_needed || !state.threads[group.members[i]].has_exited) return false;
  }
  return true;
}

/// Returns the number of lanes that have exited, have no code or do not exist. Considers only warps that have an
/// arrival in the phase.
std::uint32_t Barriers::lanes_without(const State& state, const Group& group, std::uint32_t phase) const {
  struct WarpLanes {
    std::uint32_t without = kLanes;
    bool arrives = false;
  };
  std::map<int, WarpLanes> warps;
  for (std::size_t i = 0; i < group.named; ++i) {
    WarpLanes& warp = warps[program_.threads[group.members[i]].place.warp];
    const bool arrives = state.arrivals[group.first_slot + i] == phase + 1;
    warp.arrives = warp.arrives || arrives;
    if (arrives || !state.threads[group.members[i]].has_exited) --warp.without;
  }
  std::uint32_t sum = 0;
  for (const auto& [number, warp] : warps) sum += warp.arrives ? warp.without : 0;
  return sum;
}

std::optional<std::uint32_t> Barriers::last_phase(const State& state, std::uint32_t barrier,
                                                  std::uint32_t thread) const {
  const std::uint32_t count = state.arrivals[slot(barrier, thread)];
  if (count == 0) return std::nullopt;
  return count - 1;
}

}  // namespace ambit::sim
