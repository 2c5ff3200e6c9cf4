#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/assert.h"
#include "detector/clock_kernels.h"

namespace ambit::detector {

using ClockId = std::uint32_t;
inline constexpr ClockId kNoClock = 0xffffffffU;

/// All vector clocks of one detector, as rows of one array: nothing is allocated while events arrive, but for growth.
/// Rows are counted references, so that one snapshot can stand in several places.
class ClockBank {
 public:
  /// Makes room for that many threads; new components are 0. Pointers to rows become invalid.
  void reserve_threads(std::size_t threads) {
    if (threads <= width_) return;
    std::size_t width = std::max(width_, kClockGrain);
    while (width < threads) width *= 2;
    std::vector<Epoch> cells(uses_.size() * width, 0);
    for (std::size_t row = 0; row < uses_.size(); ++row) {
      std::copy_n(cells_.begin() + static_cast<std::ptrdiff_t>(row * width_), width_,
                  cells.begin() + static_cast<std::ptrdiff_t>(row * width));
    }
    cells_.swap(cells);
    width_ = width;
  }
  std::size_t width() const { return width_; }
  /// Bytes held.
  std::size_t memory() const { return cells_.capacity() * sizeof(Epoch) + uses_.capacity() * sizeof(std::uint32_t); }

  /// A row of zeros, used once.
  ClockId create() {
    const ClockId id = take();
    std::fill_n(row(id), width_, 0);
    return id;
  }
  /// A copy, used once.
  ClockId copy(ClockId from) {
    const ClockId id = take();
    std::copy_n(row(from), width_, row(id));
    return id;
  }
  void retain(ClockId id) { ++uses_[id]; }
  void release(ClockId id) {
    if (id == kNoClock || --uses_[id] != 0) return;
    free_.push_back(id);
  }
  bool is_shared(ClockId id) const { return uses_[id] > 1; }

  Epoch* row(ClockId id) { return cells_.data() + static_cast<std::size_t>(id) * width_; }
  const Epoch* row(ClockId id) const { return cells_.data() + static_cast<std::size_t>(id) * width_; }
  Epoch at(ClockId id, std::uint32_t thread) const { return row(id)[thread]; }
  void join(ClockId into, ClockId from) {
    if (into != from) join_clock(row(into), row(from), width_);
  }

 private:
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
