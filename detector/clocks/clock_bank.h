#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/trace.h"
#include "detector/clocks/clock_kernels.h"

namespace ambit::detector {

/// The number of a vector clock in a bank. The bank has a reference count for each clock, and each holder of the clock
/// has one reference. A clock with several references is immutable: functions that change it return a new clock.
using ClockId = std::uint32_t;

/// A thread's past at one point, without a copy of its clock. The past is `clock` with three changes: component
/// `thread` is at least `now`, the components of the thread's warp are at least `warp`, and the components of its block
/// are at least `block`. The thread's own component in `clock` is not current. If `thread` is kNoName, the past is
/// `clock` without changes.
struct ClockView {
  ClockId clock = 0;
  std::uint32_t thread = kNoName;
  Epoch now = 0;
  Epoch warp = 0;
  Epoch block = 0;

  /// Returns the corresponding view of another lane with equivalent state. The clock may have lane-relative entries.
  ClockView of_thread(std::uint32_t lane) const { return {clock, lane, now, warp, block}; }
  /// Returns the corresponding view of thread `thread` + `by`. A view without a thread is returned unchanged.
  ClockView moved(std::uint32_t by) const { return of_thread(thread == kNoName ? kNoName : thread + by); }
  bool operator==(const ClockView&) const = default;
};

/// An update of a clock from another thread: the other thread's clock, and the local times of its block, of its warp
/// and of that thread. A local time of 0 updates nothing.
struct ClockUpdate {
  ClockId from = 0;
  std::uint32_t thread = 0;
  Epoch block = 0;
  Epoch warp = 0;
  Epoch now = 0;
  bool operator==(const ClockUpdate&) const = default;
};

/// All vector clocks of one detector, stored as uncompressed rows of one array. Only the growth of the array allocates
/// memory. CompressedClocks has the same functions. Detectors are templates, instantiated for both classes.
class PlainClocks {
 public:
  /// The clock whose components are all 0. The zero clock has no reference count.
  static constexpr ClockId kZero = 0;
  /// True if a clock takes less memory when the components of a warp or block are equal.
  static constexpr bool kCompresses = false;
  bool has_groups() const { return false; }
  /// The result of number_of_warp() if the components of the warp may differ.
  static constexpr Epoch kSeveral = ~Epoch{0};
  Epoch number_of_warp(ClockId /*id*/, std::uint32_t /*thread*/) const { return kSeveral; }

  explicit PlainClocks(const TraceTables& /*tables*/) : cells_(kClockGrain, 0), uses_(1, 1) {}

  /// Reserves components for `threads` threads; new components are 0.
  void reserve_threads(std::size_t threads) {
    if (threads <= width_) return;
    std::size_t width = width_;
    while (width < threads) width *= 2;
    std::vector<Epoch> cells(uses_.size() * width, 0);
    for (std::size_t id = 0; id < uses_.size(); ++id) {
      std::copy_n(cells_.begin() + static_cast<std::ptrdiff_t>(id * width_), width_,
                  cells.begin() + static_cast<std::ptrdiff_t>(id * width));
    }
    cells_.swap(cells);
    width_ = width;
  }

  Epoch at(ClockId id, std::uint32_t thread, std::uint32_t /*owner*/ = kNoName) const { return row(id)[thread]; }

  ClockId retain(ClockId id, std::uint32_t uses = 1) {
    if (id != kZero) uses_[id] += uses;
    return id;
  }
  void release(ClockId id, std::uint32_t uses = 1) {
    if (id == kZero) return;
    uses_[id] -= uses;
    if (uses_[id] == 0) free_.push_back(id);
  }

  /// Returns the least upper bound of `into` and `from`. Takes over the caller's reference to `into`.
  ClockId joined(ClockId into, ClockId from, std::uint32_t /*owner*/ = kNoName) {
    if (into == from || from == kZero) return into;
    if (into == kZero) return retain(from);
    if (uses_[into] == 1) {
      join_clock(row(into), row(into), row(from), width_);
      return into;
    }
    const ClockId result = take();
    join_clock(row(result), row(into), row(from), width_);
    --uses_[into];
    return result;
  }
  /// Returns the clock with component `thread` raised to at least `epoch`. Takes over the caller's reference to `into`.
  ClockId raised(ClockId into, std::uint32_t thread, Epoch epoch, std::uint32_t /*owner*/ = kNoName) {
    if (at(into, thread) >= epoch) return into;
    if (into == kZero || uses_[into] > 1) {
      const ClockId result = take();
      std::copy_n(row(into), width_, row(result));
      release(into);
      into = result;
    }
    row(into)[thread] = epoch;
    return into;
  }
  bool has_lanes(ClockId /*id*/) const { return false; }
  bool covers_lanes(ClockId /*id*/, std::uint32_t /*warp*/, Epoch /*epoch*/) const { return false; }
  bool acts_as_warp() const { return false; }
  void set_acting_as_warp(bool /*acts*/) {}
  ClockId lane_independent(ClockId id, std::uint32_t /*owner*/) { return id; }
  std::uint32_t lane_independent_copies() const { return 0; }
  bool distinguishes_lanes(ClockId /*id*/, std::uint32_t /*thread*/, Epoch /*epoch*/) const { return true; }
  bool covers_warp(ClockId /*id*/, std::uint32_t /*thread*/, Epoch /*epoch*/) const { return false; }
  // Never called, because has_groups() and acts_as_warp() are false.
  ClockId joined_lane(ClockId into, const ClockUpdate& /*update*/, std::uint32_t /*owner*/) { return into; }
  std::uint32_t lane_of(std::uint32_t thread) const { return thread; }
  bool same_lane(std::uint32_t /*a*/, std::uint32_t /*b*/) const { return false; }
  ClockId raised_warp(ClockId into, std::uint32_t /*thread*/, Epoch /*epoch*/) { return into; }
  ClockId raised_block(ClockId into, std::uint32_t /*thread*/, Epoch /*epoch*/) { return into; }
  ClockId joined_next(ClockId into, ClockId from, ClockId& /*base*/) { return joined(into, from); }
  ClockId joined_beside(ClockId into, ClockId /*from*/, std::uint32_t /*thread*/, bool /*is_block*/) { return into; }
  ClockId raised_rest_of_warp(ClockId into, std::uint32_t /*thread*/, Epoch /*epoch*/) { return into; }
  ClockId raised_rest_of_block(ClockId into, std::uint32_t /*thread*/, Epoch /*epoch*/) { return into; }

  /// Returns the memory in use, in bytes.
  std::size_t memory() const {
    return cells_.capacity() * sizeof(Epoch) + (uses_.capacity() + free_.capacity()) * sizeof(std::uint32_t);
  }

 private:
  Epoch* row(ClockId id) { return cells_.data() + static_cast<std::size_t>(id) * width_; }
  const Epoch* row(ClockId id) const { return cells_.data() + static_cast<std::size_t>(id) * width_; }
  ClockId take() {
    if (free_.empty()) {
      const auto id = static_cast<ClockId>(uses_.size());
      uses_.push_back(1);
      cells_.resize(uses_.size() * width_);
      return id;
    }
    const ClockId id = free_.back();
    free_.pop_back();
    uses_[id] = 1;
    return id;
  }

  std::size_t width_ = kClockGrain;
  std::vector<Epoch> cells_;
  std::vector<std::uint32_t> uses_;
  std::vector<ClockId> free_;
};

}  // namespace ambit::detector
