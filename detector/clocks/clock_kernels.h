#pragma once

#include <cstddef>
#include <cstdint>

namespace ambit::detector {

/// One component of a vector clock: the local time of a thread.
using Epoch = std::uint32_t;
/// The length of a clock is padded to a multiple of this number, so that vectorised loops have no remainder.
inline constexpr std::size_t kClockGrain = 16;

/// result[i] := max(a[i], b[i]). `width` is a multiple of kClockGrain. `result` may be the array `a`; otherwise it must
/// not overlap the inputs.
void join_clock(Epoch* result, const Epoch* a, const Epoch* b, std::size_t width);

/// The result of a comparison of two arrays of 32 cells. A cell is an epoch exactly if its top bit is
/// 0.
struct Comparison {
  bool are_values;          ///< all cells are epochs; if not, is_above and is_below have no meaning
  bool is_above;            ///< a[i] >= b[i] for all i
  bool is_below;            ///< a[i] <= b[i] for all i
  std::uint32_t different;  ///< bit i is set if a[i] != b[i]
};
Comparison compare_cells(const std::uint32_t* a, const std::uint32_t* b);

}  // namespace ambit::detector
