#pragma once

#include <cstdint>
#include <string>

namespace ambit::order {

/// Compares a detector's reports with the races under the model ptx, for runs of a program. For each run, considers all
/// executions in which each read takes its value from the same write as in the run.
struct Comparison {
  unsigned runs = 0;      ///< number of runs compared
  unsigned racy = 0;      ///< number of runs with a race under the model ptx
  unsigned reported = 0;  ///< number of runs in which the detector reports a race
  /// A run where the detector reports a data race (not a race on a flag), but ptx has none; "" if no such run exists.
  std::string false_report;
  /// Like false_report, but the detector reports a race on a flag. Detectors forget an observed write when another
  /// write overwrites the flag (docs/detectors/order.md).
  std::string false_report_of_flag;
  /// A run in which ptx has a race, but the detector reports no race; "" if no run is like this.
  std::string missed;
};

/// Simulates the program of a seed (shapes.h) `runs` times and compares the detector with ptx. `detector` is
/// "barracuda" or "gwcp". With the options of this comparison, a read-modify-write without a fence does not acquire.
Comparison compare(std::uint64_t seed, const std::string& detector, unsigned runs);

}  // namespace ambit::order
