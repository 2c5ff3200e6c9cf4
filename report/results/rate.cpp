#include "report/results/rate.h"

#include <algorithm>
#include <cmath>

namespace ambit::report {

Rate wilson_rate(std::uint64_t count, std::uint64_t runs) {
  if (runs == 0) return {};
  constexpr double z = 1.959963984540054;  // the 97.5 % quantile of the normal distribution
  const auto n = static_cast<double>(runs);
  const double share = static_cast<double>(count) / n;
  const double spread = z * std::sqrt(share * (1 - share) / n + z * z / (4 * n * n));
  const double middle = share + z * z / (2 * n);
  const double scale = 1 + z * z / n;
  // Where an end of the interval must be exactly 0 or 1, sets it directly, because the formula has a rounding error.
  return {.share = share,
          .low = count == 0 ? 0 : std::max((middle - spread) / scale, 0.0),
          .high = count == runs ? 1 : std::min((middle + spread) / scale, 1.0)};
}

}  // namespace ambit::report
