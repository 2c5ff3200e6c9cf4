#pragma once

#include <cstdint>
#include <string>

namespace ambit::order {

/// A random program of fences, barriers, leaders, flags and data, without branches: which flags its reads see is left
/// to a schedule. More than half are messages from block to block, whose parts are chosen at random; the others
/// are random statements.
class Shape {
 public:
  explicit Shape(std::uint64_t seed);
  /// As a litmus test without a condition. The n-th read of a thread is its register rN, from 0. No two writes to a
  /// location leave it with one value.
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

}  // namespace ambit::order
