#include "detector/clock_kernels.h"

// Compiled for several instruction sets, the best of which is chosen when the program starts.
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__)
#define AMBIT_VECTORIZED __attribute__((target_clones("avx2", "default"), optimize("O3")))
#else
#define AMBIT_VECTORIZED
#endif

namespace ambit::detector {

AMBIT_VECTORIZED void join_clock(Epoch* __restrict into, const Epoch* __restrict from, std::size_t width) {
  for (std::size_t i = 0; i < width; i += kClockGrain) {
    for (std::size_t j = 0; j < kClockGrain; ++j) into[i + j] = into[i + j] > from[i + j] ? into[i + j] : from[i + j];
  }
}

AMBIT_VECTORIZED bool exceeds(const Epoch* a, const Epoch* b, std::size_t width) {
  for (std::size_t i = 0; i < width; i += kClockGrain) {
    Epoch any = 0;
    for (std::size_t j = 0; j < kClockGrain; ++j) any |= a[i + j] > b[i + j] ? 1U : 0U;
    if (any != 0) return true;
  }
  return false;
}

}  // namespace ambit::detector
