#pragma once

#include <cstdint>
#include <span>

#include "parser/module_launch.h"
#include "report/results/kernel_scores.h"
#include "suite/task_file.h"

namespace ambit::api {

/// Compares the contents of an array after a launch with the expected contents, and adds the differences to `results`.
/// Integers must be equal. Floating-point numbers must be equal within the tolerance; infinite numbers must be equal,
/// and NaN equals only NaN. The default tolerance is that of torch.testing.assert_close for the type. `input`: 1-based
/// number of the random input.
void compare_array(const parser::LaunchedArray& array, const suite::Tolerance& tolerance,
                   std::span<const std::uint8_t> expected, std::span<const std::uint8_t> actual, std::uint64_t input,
                   report::KernelResults& results);

}  // namespace ambit::api
