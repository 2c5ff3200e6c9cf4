#pragma once

#include <cstdint>
#include <string>

namespace ambit::order {

/// For each run of a program, compares a detector's report with the races under the model ptx, in all executions in
/// which each read reads from the same write as in the run.
struct Comparison {
  unsigned runs = 0;      ///< number of runs compared
  unsigned racy = 0;      ///< number of runs with a race according to ptx
  unsigned reported = 0;  ///< number of runs in which the detector reports a race
  /// A run with a reported data race (not a race on a flag) in which ptx has no race; "" if there is no such run.
  std::string false_report;
  /// Like false_report, for a race on a flag. Detectors forget an observed write when the flag is overwritten
  /// (docs/detectors/order.md).
  std::string false_report_of_flag;
  /// A run in which ptx has a race and the detector reports no race; "" if there is no such run.
  std::string missed;
};

/// Simulates the program of a seed (shapes.h) `runs` times and compares the detector with ptx. `detector` is
/// "barracuda" or "gwcp"; its options are set so that a read-modify-write without a fence does not acquire.
Comparison compare(std::uint64_t seed, const std::string& detector, unsigned runs);

}  // namespace ambit::order
