#pragma once

#include <cstddef>
#include <cstdint>

namespace ambit::detector {

/// One component of a vector clock: the local time of a thread.
using Epoch = std::uint32_t;
/// Clocks are padded to a multiple of this, so that loops over them need no remainder.
inline constexpr std::size_t kClockGrain = 16;

/// result[i] := max(a[i], b[i]). `width` is a multiple of kClockGrain; `result` may be `a` but not overlap otherwise.
void join_clock(Epoch* result, const Epoch* a, const Epoch* b, std::size_t width);

/// Comparison of two arrays of 32 cells. A cell is an epoch below 2^31, or its top bit is set and it is not an epoch.
struct Comparison {
  bool are_values;          ///< no top bit is set; otherwise is_above and is_below have no meaning
  bool is_above;            ///< a[i] >= b[i] for all i
  bool is_below;            ///< a[i] <= b[i] for all i
  std::uint32_t different;  ///< bit i is set if a[i] != b[i]
};
Comparison compare_cells(const std::uint32_t* a, const std::uint32_t* b);

}  // namespace ambit::detector
