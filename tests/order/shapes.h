#pragma once

#include <cstdint>
#include <string>

namespace ambit::order {

/// A random program of fences, barriers, leaders, flags and data, without branches. The schedule decides which write of
/// a flag a read returns. More than half of the programs pass a message from block to block, with randomly chosen
/// parts. All other programs consist of random statements.
class Shape {
 public:
  explicit Shape(std::uint64_t seed);
  /// Returns the program as a litmus test without a condition. Read n of a thread, counted from 0, sets the thread's
  /// register rn. All writes to a location write different values.
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

}  // namespace ambit::order
