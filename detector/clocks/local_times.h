#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <span>
#include <vector>

#include "core/barrier_tracker.h"
#include "core/trace.h"
#include "detector/clocks/clock_bank.h"
#include "detector/inference/places.h"

namespace ambit::detector {

/// The past that the threads of a warp or block share after a common barrier: all events of these threads up to a
/// local time. Each relation with clocks has its own local time: happens-before, precedence and hard order
/// (causal_order.h).
struct CommonPast {
  Epoch h = 0;
  Epoch p = 0;  ///< does not apply to a thread's own component
  Epoch k = 0;
};
using Relation = Epoch CommonPast::*;

/// The local times of all threads, and the effect of barriers on them.
///
/// A barrier sets the local times of all members to one value that is greater than each previous local time. Local times
/// may rise, but they must never decrease. So a barrier of a whole warp or block changes one number of the group
/// (CommonPast) and no clock. After another barrier, a clock's components for a warp or block may become equal, so that
/// the clock takes less memory.
///
/// If only one thread of a warp or block has acted since a barrier of the whole group, this thread represents the
/// group. In a clock that this thread publishes, the components of all threads of the group are the local time of this
/// thread. Later actions of the other threads get greater local times (Group::floor). So if the first lane of each warp
/// releases a lock, each release adds only one number to an acquirer's clock.
class LocalTimes {
 public:
  explicit LocalTimes(const TraceTables& tables) : places_(tables) {}

  void reserve_threads(std::size_t threads) {
    if (threads <= now_.size()) return;
    now_.resize(threads, 0);
    is_idle_.resize(threads + 32, 1);  // idle_lanes() may read 32 values from any thread on
  }
  bool has_acted(std::uint32_t thread) const { return now_[thread] != 0; }
  /// Returns whether begin() must be called before the thread's next action. The call is necessary before the thread's
  /// first action, and before its first action after a barrier of its warp or block.
  bool is_idle(std::uint32_t thread) const { return is_idle_[thread] != 0; }
  /// Returns whether all lanes of a whole warp have the same local time.
  bool are_lanes_equal(std::uint32_t first) const {
    return std::memcmp(now_.data() + first, now_.data() + first + 1, 31 * sizeof(Epoch)) == 0;
  }
  /// Returns whether the given lanes of a warp have the same local time.
  bool are_lanes_equal(std::uint32_t first, std::uint32_t lanes) const {
    if (lanes == ~0U) return are_lanes_equal(first);
    const Epoch* now = now_.data() + first;
    const Epoch one = now[std::countr_zero(lanes)];
    for (lanes &= lanes - 1; lanes != 0; lanes &= lanes - 1) {
      if (now[std::countr_zero(lanes)] != one) return false;
    }
    return true;
  }
  void begin(std::uint32_t thread);
  /// Calls begin() for each idle lane among the given lanes of a warp, in order.
  void begin_lanes(std::uint32_t first, std::uint32_t lanes) {
    lanes &= idle_lanes(first);
    if (lanes != 0) begin_idle(first, lanes);
  }
  /// Must be called after the thread's last action.
  void exit(std::uint32_t thread);
  Epoch now(std::uint32_t thread) const { return now_[thread]; }
  void tick(std::uint32_t thread) { ++now_[thread]; }
  /// Like tick(), for all lanes of a whole warp.
  void tick_warp(std::uint32_t first) {
    for (std::uint32_t thread = first; thread < first + 32; ++thread) ++now_[thread];
  }
  /// Returns the number of the thread's warp. The warps have consecutive numbers.
  std::uint32_t warp(std::uint32_t thread) const { return places_.known(thread).warp; }

  /// Returns a thread's past in the relation. `clock` must be the thread's clock for this relation.
  template <typename Clocks>
  ClockView view(const Clocks& /*clocks*/, std::uint32_t thread, ClockId clock, Relation relation) const {
    if (!Clocks::kCompresses || !has_common_) return {clock, thread, now_[thread]};
    const auto [warp, block] = places_.known(thread);
    return {clock, thread, now_[thread], warps_[warp].common.*relation, blocks_[block].common.*relation};
  }
  /// Like view(), for a clock that the thread publishes. The thread's own component in the relation must be now(). If
  /// no other thread of the warp or block has acted since the last barrier, the components of the other threads are
  /// now(), too.
  template <typename Clocks>
  ClockView published(const Clocks& clocks, std::uint32_t thread, ClockId clock, Relation relation) {
    ClockView made = view(clocks, thread, clock, relation);
    if (!Clocks::kCompresses || !has_common_) return made;
    const auto [warp, block] = places_.known(thread);
    if (speaks_for(blocks_[block], thread, made.block)) {
      made.block = made.now;
    } else if (speaks_for(warps_[warp], thread, std::max(made.warp, made.block))) {
      made.warp = made.now;
    }
    return made;
  }
  /// Returns, for one relation, the CommonPast of the smallest warp or block that contains both threads; 0 without
  /// one.
  Epoch common(std::uint32_t a, std::uint32_t b, Relation relation) const {
    if (!has_common_) return 0;
    const ThreadPlaces::Numbers& one = places_.known(a);
    const ThreadPlaces::Numbers& other = places_.known(b);
    if (one.block != other.block) return 0;
    const Epoch of_block = blocks_[one.block].common.*relation;
    return one.warp == other.warp ? std::max(of_block, warps_[one.warp].common.*relation) : of_block;
  }
  bool same_block(std::uint32_t a, std::uint32_t b) const { return places_.known(a).block == places_.known(b).block; }
  /// Returns component `thread` of a view.
  template <typename Clocks>
  Epoch at(const Clocks& clocks, const ClockView& view, std::uint32_t thread) const;
  /// Returns the join of `into` and `from`. `owner` is the owner of `into`. The join may omit components that the
  /// CommonPast of `owner` already contains. If `into` has no owner, `owner` is kNoName and the join has all
  /// components. Takes over the caller's reference to `into`.
  template <typename Clocks>
  ClockId joined(Clocks& clocks, ClockId into, const ClockView& from, std::uint32_t owner, Relation relation) const;

  /// Prepares the functions below for the barrier `done`. begin() must have been called for its members.
  template <typename Clocks>
  void begin_barrier(const Clocks& clocks, const BarrierTracker::Completion& done);
  /// Like begin_barrier(), for a barrier of 32 consecutive lanes of a warp. Returns false if the warp has other
  /// threads. If the result is false, the caller must call begin_barrier().
  template <typename Clocks>
  bool begin_warp_barrier(const Clocks& clocks, const BarrierTracker::Completion& done) {
    if (!clocks.has_groups() || whole_group(done) != Whole::Warp) return false;
    const Epoch* now = now_.data() + done.waiting.front();
    top_ = are_lanes_equal(done.waiting.front()) ? *now : *std::max_element(now, now + 32);
    whole_ = Whole::Warp;
    return true;
  }
  /// Returns whether the members are all existing threads of a warp or block. In this case, pass() updates the group's
  /// CommonPast.
  bool is_of_group() const { return whole_ != Whole::None; }
  bool is_of_block() const { return whole_ == Whole::Block; }
  /// Returns the greatest local time of the members.
  Epoch top() const { return top_; }
  /// Returns the join of `joint` and a member's clock. Components that pass() will update may be too small. If `clock`
  /// has lane-relative entries, it must be the clock of all lanes of a warp. Takes over the reference to `joint`.
  template <typename Clocks>
  ClockId joined_member(Clocks& clocks, ClockId joint, ClockId clock, const BarrierTracker::Completion& done) const {
    ClockId base = 0;
    if (whole_ == Whole::None) return clocks.joined_next(joint, clock, base);
    return clocks.joined_beside(joint, clock, done.waiting.front(), whole_ == Whole::Block);
  }
  /// `joint` is the join of all members' clocks. Raises the members' components to their local times, adds the
  /// CommonPast of the members' groups, and returns the result. Takes over the reference to `joint`.
  template <typename Clocks>
  ClockId with_members(Clocks& clocks, ClockId joint, const BarrierTracker::Completion& done, Relation relation);
  /// Must be called after the caller has computed the members' new clocks. Advances the members' local times. If
  /// is_of_group(), updates the group's CommonPast for `relations`.
  void pass(const BarrierTracker::Completion& done, std::initializer_list<Relation> relations);
  /// Like pass(), after begin_warp_barrier(). `first` is the warp's first thread.
  void pass_warp(std::uint32_t first, std::initializer_list<Relation> relations);

 private:
  enum class Whole : std::uint8_t { None, Warp, Block };
  static constexpr std::uint32_t kSeveral = kNoName - 1;
  struct Group {
    std::vector<std::uint32_t> threads;  ///< for a warp, the threads that have acted
    std::vector<std::uint32_t> warps;    ///< for a block, the warps that have acted
    std::uint32_t acted = 0;             ///< number of threads that have acted
    std::uint32_t exited = 0;            ///< number of threads that have acted and exited
    CommonPast common;
    Epoch floor = 0;            ///< upper bound on the components of threads that have not acted since the last barrier
    std::uint32_t visited = 0;  ///< value of visit_ when this group was last visited
    /// The only thread that has acted since the last barrier of the whole group. kNoName if no thread has acted;
    /// kSeveral if several threads have acted.
    std::uint32_t sole = kSeveral;
    Epoch sole_since = 0;  ///< local time of all members at the group's last barrier
  };

  /// Returns a bit mask of the idle threads among 32 consecutive threads.
  std::uint32_t idle_lanes(std::uint32_t first) const {
    static_assert(std::endian::native == std::endian::little);
    std::uint32_t lanes = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      std::uint64_t eight = 0;  // bytes, each 0 or 1
      std::memcpy(&eight, is_idle_.data() + first + 8 * i, sizeof(eight));
      lanes |= static_cast<std::uint32_t>(eight * 0x0102040810204080U >> 56U) << (8 * i);
    }
    return lanes;
  }
  void begin_idle(std::uint32_t first, std::uint32_t lanes);
  static void note_action(Group& group, std::uint32_t thread) {
    if (group.sole != thread) group.sole = group.sole == kNoName ? thread : kSeveral;
  }
  /// Returns whether the thread represents the group. If true, sets Group::floor, so that the next actions of the other
  /// threads get greater local times. `common` is the group's CommonPast for the relation.
  bool speaks_for(Group& group, std::uint32_t thread, Epoch common) {
    if (group.sole != thread || common < group.sole_since) return false;
    group.floor = std::max(group.floor, now_[thread]);
    return true;
  }
  Whole whole_group(const BarrierTracker::Completion& done);
  void restart(Group& group) const {
    group.sole = kNoName;
    group.sole_since = top_;
  }
  template <typename Clocks>
  bool covers_warp(const Clocks& clocks, ClockId joint, std::uint32_t warp) const;
  template <typename Clocks>
  bool covers_block(const Clocks& clocks, ClockId joint, std::uint32_t block) const;

  ThreadPlaces places_;
  std::vector<Epoch> now_;             ///< 0 if the thread has not acted
  std::vector<std::uint8_t> is_idle_;  ///< the thread has not acted since the last barrier of its whole warp or block
  std::vector<Group> warps_;
  std::vector<Group> blocks_;
  std::vector<std::uint32_t> waits_at_;  ///< for each thread, the number of its last barrier
  std::uint32_t barrier_ = 0;
  std::uint32_t visit_ = 0;  ///< number of passes over the groups of a barrier so far
  Epoch top_ = 0;            ///< greatest local time in the barrier's groups
  Whole whole_ = Whole::None;
  bool has_common_ = false;  ///< a barrier of a whole warp or block has completed
};

/// The past of a thread, in the form that access histories need.
template <typename Clocks>
struct Past {
  const Clocks& clocks;
  const LocalTimes& times;
  ClockId clock;
  std::uint32_t thread;
  Relation relation;
  Relation other_relation;  ///< the object represents the union of the pasts in `relation` and in this relation

  bool contains(std::uint32_t other, Epoch epoch) const {
    return other == thread || (clocks.has_groups() && is_common(other, epoch)) ||
           epoch <= clocks.at(clock, other, thread);
  }
  /// See covers_lanes() of the clocks.
  bool covers_lanes(std::uint32_t warp, Epoch epoch) const { return clocks.covers_lanes(clock, warp, epoch); }
  bool same_block(std::uint32_t other) const { return times.same_block(thread, other); }
  /// Returns whether the CommonPast of both threads includes `epoch` in one of the relations.
  bool is_common(std::uint32_t other, Epoch epoch) const {
    return epoch <= times.common(thread, other, relation) ||
           (other_relation != relation && epoch <= times.common(thread, other, other_relation));
  }
  /// Returns those of `lanes` whose local time `epoch` is not in the past. `warp` is the first thread of the warp.
  std::uint32_t unknown_lanes(std::uint32_t warp, std::uint32_t lanes, Epoch epoch) const {
    if (thread - warp < 32) lanes &= ~(1U << (thread - warp));
    if (lanes == 0 || clocks.covers_warp(clock, warp, epoch)) return 0;
    if (is_common(warp, epoch)) return 0;
    std::uint32_t unknown = 0;
    for (; lanes != 0; lanes &= lanes - 1) {
      if (epoch > clocks.at(clock, warp + static_cast<std::uint32_t>(std::countr_zero(lanes)), thread))
        unknown |= lanes & -lanes;
    }
    return unknown;
  }
};

template <typename Clocks>
Epoch LocalTimes::at(const Clocks& clocks, const ClockView& view, std::uint32_t thread) const {
  Epoch epoch = clocks.at(view.clock, thread, view.thread);
  if (view.thread == kNoName) return epoch;
  if (view.thread == thread) return std::max(epoch, view.now);
  if constexpr (!Clocks::kCompresses) return epoch;
  if ((view.warp | view.block) == 0) return epoch;
  const auto [warp, block] = places_.known(thread);
  const auto [own_warp, own_block] = places_.known(view.thread);
  if (block == own_block) epoch = std::max(epoch, view.block);
  return warp == own_warp ? std::max(epoch, view.warp) : epoch;
}

template <typename Clocks>
ClockId LocalTimes::joined(Clocks& clocks, ClockId into, const ClockView& from, std::uint32_t owner,
                           Relation relation) const {
  if (from.thread == kNoName) return clocks.joined(into, from.clock, owner);
  Epoch of_block = 0;
  Epoch of_warp = 0;
  if (Clocks::kCompresses && has_common_ && owner != kNoName) {
    const auto [warp, block] = places_.known(from.thread);
    const auto [own_warp, own_block] = places_.known(owner);
    if (block == own_block) of_block = blocks_[block].common.*relation;
    if (warp == own_warp) of_warp = warps_[warp].common.*relation;
  }
  ClockUpdate update{from.clock, from.thread};
  if (from.block > of_block) update.block = from.block;
  of_warp = std::max(of_warp, std::max(of_block, from.block));
  if (from.warp > of_warp) update.warp = from.warp;
  if (from.now > std::max(of_warp, from.warp)) update.now = from.now;
  const bool is_of_lane = owner != kNoName && clocks.same_lane(from.thread, owner);
  if (is_of_lane && clocks.acts_as_warp()) return clocks.joined_lane(into, update, owner);
  if (is_of_lane || !clocks.has_lanes(from.clock)) {
    into = clocks.joined(into, from.clock, owner);
  } else {
    const ClockId clock = clocks.lane_independent(clocks.retain(from.clock), from.thread);
    into = clocks.joined(into, clock, owner);
    clocks.release(clock);
  }
  if (update.block != 0) into = clocks.raised_block(into, from.thread, update.block);
  if (update.warp != 0) into = clocks.raised_warp(into, from.thread, update.warp);
  return update.now == 0 ? into : clocks.raised(into, from.thread, update.now, owner);
}

template <typename Clocks>
bool LocalTimes::covers_warp(const Clocks& clocks, ClockId joint, std::uint32_t warp) const {
  const auto& threads = warps_[warp].threads;
  return std::all_of(threads.begin(), threads.end(), [&](std::uint32_t thread) {
    return waits_at_[thread] == barrier_ || clocks.at(joint, thread) >= now_[thread];
  });
}

template <typename Clocks>
bool LocalTimes::covers_block(const Clocks& clocks, ClockId joint, std::uint32_t block) const {
  const auto& warps = blocks_[block].warps;
  return std::all_of(warps.begin(), warps.end(), [&](std::uint32_t warp) { return covers_warp(clocks, joint, warp); });
}

template <typename Clocks>
void LocalTimes::begin_barrier(const Clocks& clocks, const BarrierTracker::Completion& done) {
  ++barrier_;
  top_ = 0;
  for (const std::uint32_t thread : done.waiting) top_ = std::max(top_, now_[thread]);
  whole_ = clocks.has_groups() ? whole_group(done) : Whole::None;
  if (whole_ != Whole::None) return;
  if (waits_at_.size() < now_.size()) waits_at_.resize(now_.size(), 0);
  for (const std::uint32_t thread : done.waiting) waits_at_[thread] = barrier_;
}

template <typename Clocks>
ClockId LocalTimes::with_members(Clocks& clocks, ClockId joint, const BarrierTracker::Completion& done,
                                 Relation relation) {
  if (whole_ != Whole::None) return joint;
  for (std::size_t i = 0; clocks.has_groups() && i < done.waiting.size(); ++i) {
    const std::uint32_t thread = done.waiting[i];
    const auto [warp, block] = places_.known(thread);
    if (i != 0 && places_.known(done.waiting[i - 1]).warp == warp) continue;
    const Epoch of_block = blocks_[block].common.*relation;
    const Epoch of_warp = warps_[warp].common.*relation;
    if (of_block != 0) joint = clocks.raised_block(joint, thread, of_block);
    if (of_warp > of_block) joint = clocks.raised_warp(joint, thread, of_warp);
  }
  const auto raise_each = [&](std::span<const std::uint32_t> threads) {
    for (const std::uint32_t thread : threads) joint = clocks.raised(joint, thread, now_[thread]);
  };
  if (!clocks.has_groups()) {
    raise_each(done.waiting);
    return joint;
  }
  ++visit_;
  for (const std::uint32_t thread : done.waiting) {
    const auto [warp, block] = places_.known(thread);
    if (done.op == TraceOp::Barrier && blocks_[block].visited != visit_) {
      blocks_[block].visited = visit_;
      if (covers_block(clocks, joint, block)) {
        blocks_[block].floor = std::max(blocks_[block].floor, top_);
        joint = clocks.raised_block(joint, thread, top_);
      }
    }
    if (clocks.at(joint, thread) >= now_[thread]) continue;
    if (warps_[warp].visited != visit_) {
      warps_[warp].visited = visit_;
      if (covers_warp(clocks, joint, warp)) {
        blocks_[block].floor = std::max(blocks_[block].floor, top_);
        joint = clocks.raised_warp(joint, thread, top_);
        continue;
      }
    }
    joint = clocks.raised(joint, thread, now_[thread]);
  }
  return joint;
}

}  // namespace ambit::detector
