#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "detector/algorithms/causal_order.h"
#include "detector/algorithms/warp_components.h"

// Definitions of CausalOrder's member functions for barriers.
namespace ambit::detector {

template <typename Clocks, typename History>
void CausalOrder<Clocks, History>::barrier(const BarrierTracker::Completion& done) {
  begin_members(done.waiting);
  for (const std::uint32_t thread : done.waiting) act_alone(thread);
  const auto is_inside = [&](std::uint32_t thread) { return !threads_[thread].sections.empty(); };
  const bool has_holder = std::ranges::any_of(done.waiting, is_inside);
  times_.begin_barrier(clocks_, done);
  if (options_.barrier == BarrierRule::Hard && !has_holder) {
    hard_barrier(done);
  } else {
    make_lane_independent(done.waiting);
    if (times_.is_of_group()) {
      literal_group_barrier(done);
    } else {
      literal_barrier(done);
    }
  }
  for (const std::uint32_t thread : done.waiting) ++threads_[thread].version;
}

template <typename Clocks, typename History>
void CausalOrder<Clocks, History>::hard_barrier(const BarrierTracker::Completion& done) {
  Clock3 joint;
  visit_clocks(
      done.waiting, [&](std::uint32_t thread) { return threads_[thread].clocks.h; },
      [&](ClockId clock) { joint.h = times_.joined_member(clocks_, joint.h, clock, done); });
  visit_clocks(
      done.waiting, [&](std::uint32_t thread) { return threads_[thread].clocks.k; },
      [&](ClockId clock) { joint.k = times_.joined_member(clocks_, joint.k, clock, done); });
  joint.h = times_.with_members(clocks_, joint.h, done, &CommonPast::h);
  joint.p = joint_precedence(done);
  joint.k = times_.with_members(clocks_, joint.k, done, &CommonPast::k);
  times_.pass(done, {&CommonPast::h, &CommonPast::k});
  const ClockId c = clocks_.joined(clocks_.retain(joint.p), joint.k);
  set_clocks(done.waiting, joint.h, [&](std::uint32_t thread) -> ClockId& { return threads_[thread].clocks.h; });
  set_clocks(done.waiting, joint.p, [&](std::uint32_t thread) -> ClockId& { return threads_[thread].clocks.p; });
  set_clocks(done.waiting, joint.k, [&](std::uint32_t thread) -> ClockId& { return threads_[thread].clocks.k; });
  set_clocks(done.waiting, c, [&](std::uint32_t thread) -> ClockId& { return threads_[thread].c; });
  release_clocks(joint);
  clocks_.release(c);
}

/// Returns whether the first 32 members are the 32 lanes of one warp and have equal values of precedes_self.
template <typename Clocks, typename History>
bool CausalOrder<Clocks, History>::is_uniform_warp(std::span<const std::uint32_t> members) const {
  if (!clocks_.has_groups() || tables_.launch.warp != 32 || members.size() < 32) return false;
  if (clocks_.lane_of(members[0]) != 0) return false;
  if (members[31] != members[0] + 31 || times_.warp(members[31]) != times_.warp(members[0])) return false;
  for (std::uint32_t lane = 1; lane < 32; ++lane) {
    if (members[lane] != members[0] + lane) return false;
    if (threads_[members[lane]].precedes_self != threads_[members[0]].precedes_self) return false;
  }
  return true;
}

/// Returns the join of the members' P. Sets each member's precedes_self, its own component of P, to the value that the
/// other members' P have for this member.
template <typename Clocks, typename History>
ClockId CausalOrder<Clocks, History>::joint_precedence(const BarrierTracker::Completion& done) {
  ClockId joint = kZero;
  ClockId joined_base = kZero;
  visit_clocks(
      done.waiting, [&](std::uint32_t thread) { return threads_[thread].clocks.p; },
      [&](ClockId clock) { joint = clocks_.joined_next(joint, clock, joined_base); });
  if (done.waiting.size() == 1 || !have_past_in_common(done.waiting)) return joint;
  // The first two threads of a warp determine the CommonPast of the warp. The join omits each member's CommonPast,
  // because the member keeps its CommonPast.
  std::uint32_t warp = kNoName;
  std::uint32_t seen = 0;
  for (std::size_t i = 0; i < done.waiting.size(); ++i) {
    const std::uint32_t thread = done.waiting[i];
    seen = times_.warp(thread) == warp ? seen + 1 : 0;
    warp = times_.warp(thread);
    if (seen > 1 && threads_[thread].precedes_self == 0) continue;
    ClockView view = p_of(thread);
    if (times_.is_of_group()) {
      const bool is_of_warp = !times_.is_of_block();
      if (view.now <= std::max(view.block, is_of_warp ? view.warp : 0)) view.now = 0;
      if (is_of_warp) view.warp = 0;
      view.block = 0;
    }
    if (seen > 1) view.warp = view.block = 0;
    if ((view.now | view.warp | view.block) == 0) continue;
    view.clock = kZero;
    if ((view.warp | view.block) == 0 && is_uniform_warp(std::span(done.waiting).subspan(i))) {
      joint = clocks_.raised_warp(joint, thread, view.now);
      i += 31;
      continue;
    }
    joint = with_precedence(joint, view);
  }
  set_own_precedence(done.waiting, joint);
  return joint;
}

/// Returns whether some member's P includes events that the member's stored clock omits.
template <typename Clocks, typename History>
bool CausalOrder<Clocks, History>::have_past_in_common(std::span<const std::uint32_t> members) const {
  std::uint32_t last_warp = kNoName;
  for (const std::uint32_t thread : members) {
    if (threads_[thread].precedes_self == 0 && times_.warp(thread) == last_warp) continue;
    last_warp = times_.warp(thread);
    const ClockView view = p_of(thread);
    if ((view.now | view.warp | view.block) != 0) return true;
  }
  return false;
}

/// Sets each member's precedes_self to the value that the other members' P have for this member. `joint` is the join of
/// the members' P.
template <typename Clocks, typename History>
void CausalOrder<Clocks, History>::set_own_precedence(std::span<const std::uint32_t> members, ClockId joint) {
  ComponentsOfWarps<Clocks> components(clocks_, joint);
  for (std::size_t i = 0; i < members.size(); ++i) {
    const std::uint32_t thread = members[i];
    const auto is_near = [&](std::size_t other) {
      return other < members.size() && times_.warp(members[other]) == times_.warp(thread);
    };
    const ClockView view = p_of(thread);
    Epoch known = view.now;
    if (times_.is_of_group()) known = std::max(known, view.block);
    if (is_near(i + 1) || is_near(i - 1)) known = std::max(known, view.warp);
    if (known <= components.at(thread, times_.warp(thread))) known = 0;
    if (components.is_number() && is_uniform_warp(members.subspan(i))) {
      for (std::uint32_t lane = 0; lane < 32; ++lane) threads_[thread + lane].precedes_self = known;
      i += 31;
    } else {
      threads_[thread].precedes_self = known;
    }
  }
}

/// Like literal_barrier(), for all existing threads of a warp or block. One number represents these threads' own
/// components of H and P. Earlier barriers make most of the threads' clocks equal.
template <typename Clocks, typename History>
void CausalOrder<Clocks, History>::literal_group_barrier(const BarrierTracker::Completion& done) {
  std::vector<HeldClock> held;
  for (const std::uint32_t thread : done.waiting) {
    const ClockId h = threads_[thread].clocks.h;
    if (!held.empty() && held.back().h == h) {
      ++held.back().members;
      continue;
    }
    const auto same = std::ranges::find(held, h, &HeldClock::h);
    if (same != held.end()) {
      ++same->members;
    } else {
      held.push_back({clocks_.retain(h)});
    }
    if (held.size() <= kMostHeldClocks) continue;
    for (const HeldClock& one : held) clocks_.release(one.h);
    return literal_barrier(done);
  }
  ClockId joint = kZero;
  for (const HeldClock& one : held) joint = clocks_.joined(joint, one.h);
  for (HeldClock& one : held) {
    if (one.members > 1) one.others = clocks_.retain(joint);
    for (const HeldClock& other : held) {
      if (one.members == 1 && other.h != one.h) one.others = clocks_.joined(one.others, other.h);
    }
  }
  join_others(done.waiting, held);
  set_clocks(done.waiting, joint, [&](std::uint32_t thread) -> ClockId& { return threads_[thread].clocks.h; });
  clocks_.release(joint);
  for (const HeldClock& one : held) {
    clocks_.release(one.h);
    clocks_.release(one.others);
  }
  times_.pass(done, {&CommonPast::h, &CommonPast::p});
}

/// For each member of a group's barrier, joins the pasts of the other members into the member's P.
template <typename Clocks, typename History>
void CausalOrder<Clocks, History>::join_others(std::span<const std::uint32_t> members,
                                               std::span<const HeldClock> held) {
  // The H clocks of a member and its neighbours in the warp include each other's events up to local time `common`.
  std::uint32_t warp = kNoName;
  Epoch common = 0;
  ComponentsOfWarps<Clocks> components(clocks_, kZero);
  for (std::size_t i = 0, end = 0; i < members.size(); i = end) {
    // Threads with equal clocks get the same update.
    const ThreadState& one = threads_[members[i]];
    const Clock3 before = one.clocks;
    const ClockId others = std::ranges::find(held, before.h, &HeldClock::h)->others;
    components.look_at(others);
    for (; end < members.size() && threads_[members[end]].clocks == before && threads_[members[end]].c == one.c;
         ++end) {
      const std::uint32_t thread = members[end];
      if (times_.warp(thread) != warp) {
        warp = times_.warp(thread);
        common = 0;
        for (const std::size_t other : {end + 1, end - 1}) {
          if (other >= members.size()) continue;
          common = std::max(common, times_.common(thread, members[other], &CommonPast::h));
        }
      }
      ThreadState& own = threads_[thread];
      own.precedes_self = std::max({own.precedes_self, components.at(thread, warp), common});
    }
    const auto same = members.subspan(i, end - i);
    const ClockId p = clocks_.joined(clocks_.retain(before.p), others);
    if (before.k != kZero) {
      const ClockId c = clocks_.joined(clocks_.retain(one.c), others);
      set_clocks(same, c, [&](std::uint32_t thread) -> ClockId& { return threads_[thread].c; });
      clocks_.release(c);
    }
    set_clocks(same, p, [&](std::uint32_t thread) -> ClockId& { return threads_[thread].clocks.p; });
    clocks_.release(p);
  }
}

template <typename Clocks, typename History>
void CausalOrder<Clocks, History>::literal_barrier(const BarrierTracker::Completion& done) {
  const std::vector<std::uint32_t>& sources = done.waiting;
  // after[i] is the join of the H clocks from sources[i] on. Each member joins the H clocks of all other members.
  std::vector<ClockId> after(sources.size() + 1, kZero);
  for (std::size_t i = sources.size(); i-- > 0;) {
    after[i] = times_.joined(clocks_, clocks_.retain(after[i + 1]), h_of(sources[i]), kNoName, &CommonPast::h);
  }
  ClockId before = kZero;
  for (std::size_t i = 0; i < done.waiting.size(); ++i) {
    const std::uint32_t thread = sources[i];
    clocks_.retain(threads_[thread].clocks.h);
    const ClockView own = h_of(thread);
    for (const ClockId from : {before, after[i + 1]}) {
      join_h(thread, {from});
      join_p(thread, {from});
    }
    before = times_.joined(clocks_, before, own, kNoName, &CommonPast::h);
    clocks_.release(own.clock);
    times_.tick(thread);
  }
  clocks_.release(before);
  for (const ClockId clock : after) clocks_.release(clock);
}

}  // namespace ambit::detector
