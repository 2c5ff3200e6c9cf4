#include "detector/clocks/clock_kernels.h"

#include <array>

// The compiler makes versions for several instruction sets, and the program selects the best version at its start.
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__)
#define AMBIT_VECTORIZED __attribute__((target_clones("avx2", "default"), optimize("O3")))
#else
#define AMBIT_VECTORIZED
#endif

namespace ambit::detector {
namespace {

/// This table of bits lets the compiler vectorise loops over 32 cells.
constexpr std::array<std::uint32_t, 32> kBits = [] {
  std::array<std::uint32_t, 32> bits{};
  for (std::uint32_t i = 0; i < 32; ++i) bits[i] = 1U << i;
  return bits;
}();

}  // namespace

AMBIT_VECTORIZED void join_clock(Epoch* result, const Epoch* a, const Epoch* b, std::size_t width) {
  for (std::size_t i = 0; i < width; i += kClockGrain) {
    Epoch grain[kClockGrain];
    for (std::size_t j = 0; j < kClockGrain; ++j) grain[j] = a[i + j] > b[i + j] ? a[i + j] : b[i + j];
    for (std::size_t j = 0; j < kClockGrain; ++j) result[i + j] = grain[j];
  }
}

AMBIT_VECTORIZED Comparison compare_cells(const std::uint32_t* a, const std::uint32_t* b) {
  std::uint32_t all = 0;
  std::uint32_t above = 0;
  std::uint32_t below = 0;
  std::uint32_t different = 0;
  for (std::size_t i = 0; i < 32; ++i) {
    // For numbers below 2^31, the top bit of their difference is set if and only if the difference is negative.
    all |= a[i] | b[i];
    below |= a[i] - b[i];
    above |= b[i] - a[i];
    different |= a[i] == b[i] ? 0 : kBits[i];
  }
  return {(all >> 31U) == 0, (below >> 31U) == 0, (above >> 31U) == 0, different};
}

}  // namespace ambit::detector
