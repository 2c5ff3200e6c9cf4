#pragma once

#include <cstdint>

#include "core/trace.h"
#include "detector/clocks/clock_bank.h"

namespace ambit::detector {

/// Looks up the components of a clock. If all components of a warp are equal, one lookup is enough for the
/// warp.
template <typename Clocks>
class ComponentsOfWarps {
 public:
  ComponentsOfWarps(const Clocks& clocks, ClockId clock) : clocks_(clocks), clock_(clock) {}
  void look_at(ClockId clock) {
    if (clock == clock_) return;
    clock_ = clock;
    warp_ = kNoName;
  }
  /// Returns the component of the thread. `warp` is the number of the thread's warp.
  Epoch at(std::uint32_t thread, std::uint32_t warp) {
    if (warp != warp_) {
      warp_ = warp;
      number_ = clocks_.number_of_warp(clock_, thread);
    }
    return is_number() ? number_ : clocks_.at(clock_, thread);
  }
  /// Returns whether the last warp's components are known to be equal.
  bool is_number() const { return number_ != Clocks::kSeveral; }

 private:
  const Clocks& clocks_;
  ClockId clock_;
  std::uint32_t warp_ = kNoName;
  Epoch number_ = 0;
};

}  // namespace ambit::detector
