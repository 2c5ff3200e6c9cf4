#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "tests/compiled_kernels/random_kernel.h"

namespace ambit::compiled_kernels {

/// The words of all buffers after a run of a kernel, in the order of the buffers.
using Words = std::vector<std::int32_t>;

struct Runs {
  std::string error;
  std::set<Words> outcomes = {};
  bool has_race = false;  ///< barracuda reports a race in some run
};

/// Runs a kernel on the virtual GPU under random schedules.
Runs run(const RandomKernel& kernel, const std::string& module, unsigned runs);

}  // namespace ambit::compiled_kernels
