#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/program.h"

namespace ambit::api {

/// A range of lines: 1-based numbers of the first and the last line.
struct LineRange {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
  friend bool operator==(const LineRange&, const LineRange&) = default;
};

/// Counts the models for which the test has an expectation. A model under a scheduler counts separately.
std::size_t count_expectations(const Program& exercise);

/// Returns the lines of an exercise that the learner must not change. If the solution has the same expectations as the
/// exercise, the locked lines are the condition and all lines after it (in a CUDA source, only the lines with a
/// condition or an expectation). If the expectations differ, all lines without expectations are locked. `answer`: the
/// solution; may be null.
std::vector<LineRange> locked_lines(const Program& exercise, const Program* answer);

}  // namespace ambit::api
