#pragma once

#include <cstdint>

namespace ambit::report {

/// A share of runs, and the bounds of the share of all possible runs with 95 % confidence.
struct Rate {
  double share = 0;
  double low = 0;
  double high = 1;
};

/// Returns the Wilson score interval (Wilson, "Probable inference, the law of succession, and statistical inference",
/// JASA 22, 1927; without continuity correction) for `count` of `runs` independent runs. If `runs` is 0, returns a
/// share of 0 with the interval from 0 to 1.
Rate wilson_rate(std::uint64_t count, std::uint64_t runs);

}  // namespace ambit::report
