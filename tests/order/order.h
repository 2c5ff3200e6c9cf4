#pragma once

#include <cstdint>
#include <string>

namespace ambit::order {

/// What a detector says of runs of a program, against what the model ptx says of all executions with their reads-from.
struct Comparison {
  unsigned runs = 0;      ///< compared
  unsigned racy = 0;      ///< of them, by ptx
  unsigned reported = 0;  ///< of them, by the detector
  /// A run with a reported race of data (not of flags) in which ptx has no race; "": none.
  std::string false_report;
  /// The same of a flag: an observed write is forgotten once the flag is overwritten (docs/detectors/order.md).
  std::string false_report_of_flag;
  /// A run in which ptx has a race and the detector reports none; "": none.
  std::string missed;
};

/// Simulates the program of a seed (shapes.h) `runs` times and compares. `detector`: "barracuda" or "gwcp", whose
/// read-modify-writes acquire nothing without a fence.
Comparison compare(std::uint64_t seed, const std::string& detector, unsigned runs);

}  // namespace ambit::order
