#include "api/judge/result_comparison.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "api/judge/array_numbers.h"

namespace ambit::api {
namespace {

using parser::LaunchedArray;

struct Limits {
  double absolute = 0;
  double relative = 0;
};

/// The defaults of torch.testing.assert_close (PyTorch 2.9).
Limits default_limits(const LaunchedArray& array) {
  if (array.numbers == LaunchedArray::Numbers::BrainFloat) return {1e-5, 1.6e-2};
  if (array.bytes == 2) return {1e-5, 1e-3};
  if (array.bytes == 4) return {1e-5, 1.3e-6};
  return {1e-7, 1e-7};
}

bool is_close(double expected, double actual, const Limits& limits) {
  if (std::isnan(expected) || std::isnan(actual)) return std::isnan(expected) && std::isnan(actual);
  if (std::isinf(expected) || std::isinf(actual)) return expected == actual;
  return std::abs(actual - expected) <= limits.absolute + limits.relative * std::abs(expected);
}

}  // namespace

void compare_array(const LaunchedArray& array, const suite::Tolerance& tolerance,
                   std::span<const std::uint8_t> expected, std::span<const std::uint8_t> actual, std::uint64_t input,
                   report::KernelResults& results) {
  const ArrayNumbers numbers(array);
  Limits limits = default_limits(array);
  limits.absolute = tolerance.absolute.value_or(limits.absolute);
  limits.relative = tolerance.relative.value_or(limits.relative);
  for (std::uint64_t i = 0; i < array.length; ++i) {
    const auto begin = static_cast<std::ptrdiff_t>(i * array.bytes);
    if (std::equal(expected.begin() + begin, expected.begin() + begin + array.bytes, actual.begin() + begin)) continue;
    const double wanted = numbers.number(expected, i);
    const double got = numbers.number(actual, i);
    const double error = std::abs(got - wanted);
    if (std::isfinite(error)) {
      results.largest_absolute_error = std::max(results.largest_absolute_error, error);
      const double relative = error / std::abs(wanted);
      if (std::isfinite(relative)) results.largest_relative_error = std::max(results.largest_relative_error, relative);
    }
    if (numbers.is_floating() && is_close(wanted, got, limits)) continue;
    ++results.differences;
    if (!results.first) {
      results.first = {array.name, i, numbers.text(expected, i), numbers.text(actual, i), input};
    }
  }
}

}  // namespace ambit::api
