#pragma once

#include <cstddef>
#include <cstdint>

namespace ambit::detector {

/// One component of a vector clock: the local time of a thread.
using Epoch = std::uint32_t;
/// Clocks are padded to a multiple of this, so that loops over them need no remainder.
inline constexpr std::size_t kClockGrain = 16;

/// into[i] := max(into[i], from[i]). `width` is a multiple of kClockGrain; the ranges do not overlap.
void join_clock(Epoch* into, const Epoch* from, std::size_t width);
/// Some a[i] > b[i].
bool exceeds(const Epoch* a, const Epoch* b, std::size_t width);

}  // namespace ambit::detector
