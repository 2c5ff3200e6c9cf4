#pragma once

#include <utility>

#include "detector/clock_bank.h"

namespace ambit::detector {

/// Joins of clocks, one after the other, of which most are the same.
template <typename Clocks>
class SameJoins {
 public:
  explicit SameJoins(Clocks& clocks) : clocks_(clocks) {}
  SameJoins(const SameJoins&) = delete;
  SameJoins& operator=(const SameJoins&) = delete;
  ~SameJoins() { drop(); }
  /// `to` becomes the join of both.
  void join(ClockId& to, ClockId from) {
    if (to != to_ || from != from_) {
      drop();
      to_ = clocks_.retain(to);
      from_ = clocks_.retain(from);
      result_ = clocks_.joined(clocks_.retain(to), from);
    }
    clocks_.release(std::exchange(to, clocks_.retain(result_)));
  }

 private:
  void drop() {
    for (const ClockId clock : {to_, from_, result_}) clocks_.release(clock);
  }
  Clocks& clocks_;
  ClockId to_ = Clocks::kZero;
  ClockId from_ = Clocks::kZero;
  ClockId result_ = Clocks::kZero;
};

}  // namespace ambit::detector
