#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "core/barrier_tracker.h"
#include "core/trace.h"
#include "detector/clock_bank.h"
#include "detector/places.h"

namespace ambit::detector {

/// The local times of all threads, and what a barrier does to them.
///
/// A barrier sets all its members to one time, later than any that one of them had: local times only have to grow. So
/// components of a warp or block can be made equal in a clock that knows all of it, which is what lets compressed
/// clocks compress.
class LocalTimes {
 public:
  explicit LocalTimes(const TraceTables& tables) : places_(tables) {}

  void reserve_threads(std::size_t threads) {
    if (threads > now_.size()) now_.resize(threads, 0);
  }
  bool has_acted(std::uint32_t thread) const { return now_[thread] != 0; }
  /// Before the thread's first action.
  void begin(std::uint32_t thread);
  Epoch now(std::uint32_t thread) const { return now_[thread]; }
  void tick(std::uint32_t thread) { ++now_[thread]; }
  /// The number of the thread's warp, dense over all.
  std::uint32_t warp(std::uint32_t thread) { return places_.of(thread).warp; }

  /// `joint`, the join of the clocks of all who take part in a barrier, with their own components. Takes over the
  /// caller's use of `joint`.
  template <typename Clocks>
  ClockId with_members(Clocks& clocks, ClockId joint, const BarrierTracker::Completion& done);
  /// After the clocks of the barrier have been made: the time of those who waited moves on.
  void pass(const BarrierTracker::Completion& done);

 private:
  struct Group {
    std::vector<std::uint32_t> threads;  ///< warps: that have acted
    std::vector<std::uint32_t> warps;    ///< blocks
    Epoch floor = 0;                     ///< blocks: no component of its threads that have not acted is above
    std::uint32_t visited = 0;           ///< barrier
  };

  void begin_barrier(const BarrierTracker::Completion& done);
  template <typename Clocks>
  bool knows_warp(const Clocks& clocks, ClockId joint, std::uint32_t warp) const;
  template <typename Clocks>
  bool knows_block(const Clocks& clocks, ClockId joint, std::uint32_t block) const;

  ThreadPlaces places_;
  std::vector<Epoch> now_;  ///< 0: has not acted
  std::vector<Group> warps_;
  std::vector<Group> blocks_;
  std::vector<std::uint32_t> waits_at_;  ///< by thread: barrier it was in last
  std::uint32_t barrier_ = 0;
  Epoch top_ = 0;  ///< of the barrier: the latest time of a thread of its groups
};

template <typename Clocks>
bool LocalTimes::knows_warp(const Clocks& clocks, ClockId joint, std::uint32_t warp) const {
  const auto& threads = warps_[warp].threads;
  return std::all_of(threads.begin(), threads.end(), [&](std::uint32_t thread) {
    return waits_at_[thread] == barrier_ || clocks.at(joint, thread) >= now_[thread];
  });
}

template <typename Clocks>
bool LocalTimes::knows_block(const Clocks& clocks, ClockId joint, std::uint32_t block) const {
  const auto& warps = blocks_[block].warps;
  return std::all_of(warps.begin(), warps.end(), [&](std::uint32_t warp) { return knows_warp(clocks, joint, warp); });
}

template <typename Clocks>
ClockId LocalTimes::with_members(Clocks& clocks, ClockId joint, const BarrierTracker::Completion& done) {
  begin_barrier(done);
  const auto raise_each = [&](std::span<const std::uint32_t> threads) {
    for (const std::uint32_t thread : threads) joint = clocks.raised(joint, thread, now_[thread]);
  };
  raise_each(done.exited);
  if constexpr (!Clocks::kCompresses) {
    raise_each(done.waiting);
  } else {
    if (!clocks.has_groups()) {
      raise_each(done.waiting);
      return joint;
    }
    for (const std::uint32_t thread : done.waiting) {
      const auto [warp, block] = places_.of(thread);
      if (done.op == TraceOp::Barrier && blocks_[block].visited != barrier_) {
        blocks_[block].visited = barrier_;
        if (knows_block(clocks, joint, block)) {
          blocks_[block].floor = std::max(blocks_[block].floor, top_);
          joint = clocks.raised_block(joint, thread, top_);
        }
      }
      if (clocks.at(joint, thread) >= now_[thread]) continue;
      if (warps_[warp].visited != barrier_) {
        warps_[warp].visited = barrier_;
        if (knows_warp(clocks, joint, warp)) {
          blocks_[block].floor = std::max(blocks_[block].floor, top_);
          joint = clocks.raised_warp(joint, thread, top_);
          continue;
        }
      }
      joint = clocks.raised(joint, thread, now_[thread]);
    }
  }
  return joint;
}

}  // namespace ambit::detector
