#pragma once

#include <cstdint>

namespace ambit::report {

/// The observed share of runs that have a property, and the share's 95 % confidence interval.
struct Rate {
  double share = 0;
  double low = 0;
  double high = 1;
};

/// Returns the share `count` / `runs` with its Wilson score interval, for independent runs (Wilson, "Probable
/// inference, the law of succession, and statistical inference", JASA 22, 1927; without continuity correction). If
/// `runs` is 0, returns a share of 0 with the interval from 0 to 1.
Rate wilson_rate(std::uint64_t count, std::uint64_t runs);

}  // namespace ambit::report
