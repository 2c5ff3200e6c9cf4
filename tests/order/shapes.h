#pragma once

#include <cstdint>
#include <string>

namespace ambit::order {

/// A random program of fences, barriers, leaders, flags and data, without branches: the schedule decides which flags
/// its reads see. More than half of the programs are messages from block to block, whose parts are chosen at random;
/// the others are random statements.
class Shape {
 public:
  explicit Shape(std::uint64_t seed);
  /// Returns the program as a litmus test without a condition. The n-th read of a thread is its register rN, from 0. No
  /// two writes to a location write the same value.
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

}  // namespace ambit::order
