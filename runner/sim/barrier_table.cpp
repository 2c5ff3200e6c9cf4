#include "runner/sim/barrier_table.h"

#include <algorithm>
#include <span>

namespace ambit::sim {
namespace {

/// A block has 16 barriers (PTX ISA, bar).
constexpr Value kBarrierResources = 16;

bool can_meet(BarrierKind kind, std::uint32_t mask, const ThreadPlace& a, const ThreadPlace& b) {
  switch (kind) {
    case BarrierKind::Block: return same_instance(a, b, Scope::Block);
    case BarrierKind::Cluster: return same_instance(a, b, Scope::Cluster);
    case BarrierKind::Grid: return same_instance(a, b, Scope::Device);
    case BarrierKind::Warp: {
      const bool is_named = ((mask >> (static_cast<unsigned>(b.lane) % 32U)) & 1U) != 0;
      return same_instance(a, b, Scope::Block) && a.warp == b.warp && is_named;
    }
  }
  return false;
}

/// Threads launched in the blocks of a group. What a program says of its blocks may be less than what it has.
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

Barriers::Barriers(const Program& program) : of_thread_(program.threads.size()) {
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
  if (find(thread, barrier, resource)) return;
  Group group;
  group.kind = barrier.kind;
  group.id = barrier.kind == BarrierKind::Block ? barrier.id : 0;
  group.resource = resource;
  group.mask = barrier.kind == BarrierKind::Warp ? barrier.mask : 0;
  bool has_thread = false;
  for (std::uint32_t t = 0; t < program.threads.size(); ++t) {
    if (!can_meet(barrier.kind, barrier.mask, program.threads[thread].place, program.threads[t].place)) continue;
    group.members.push_back(t);
    has_thread = has_thread || t == thread;
  }
  // A thread may name a mask without itself: it then waits for the others (the CUDA guide leaves that undefined).
  group.everyone = launched(program, barrier.kind, group.members);
  group.named = static_cast<std::uint32_t>(group.members.size());
  if (!has_thread) group.members.push_back(thread);
  group.first_slot = slots_;
  slots_ += group.members.size();
  const auto id = static_cast<std::uint32_t>(groups_.size());
  for (const std::uint32_t t : group.members) of_thread_[t].push_back(id);
  groups_.push_back(std::move(group));
}

std::optional<std::uint32_t> Barriers::find(std::uint32_t thread, const Barrier& barrier, Value resource) const {
  const std::uint32_t id = barrier.kind == BarrierKind::Block ? barrier.id : 0;
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

std::uint32_t Barriers::arrive(State& state, std::uint32_t barrier, std::uint32_t thread,
                               std::uint32_t expected) const {
  const std::size_t at = slot(barrier, thread);
  const auto words = std::span(state.phases).subspan(barrier * kBarrierWords).first<kBarrierWords>();
  std::uint32_t& phase = words[0];
  std::uint32_t& arrived = words[1];
  std::uint32_t& waited_for = words[2];
  std::uint32_t& is_broken = words[3];
  const std::uint32_t mine = phase;
  state.arrivals[at] = mine + 1;
  if (at - groups_[barrier].first_slot >= groups_[barrier].named) return mine;
  if (arrived > 0 && waited_for != expected) is_broken = 1;
  waited_for = expected;
  ++arrived;
  if (is_broken == 0 && arrived >= waited_for) {
    ++phase;
    arrived = waited_for = 0;
  }
  return mine;
}

std::optional<std::uint32_t> Barriers::last_phase(const State& state, std::uint32_t barrier,
                                                  std::uint32_t thread) const {
  const std::uint32_t count = state.arrivals[slot(barrier, thread)];
  if (count == 0) return std::nullopt;
  return count - 1;
}

}  // namespace ambit::sim
