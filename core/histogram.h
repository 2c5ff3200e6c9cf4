#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "core/expr.h"

namespace ambit {

/// Counts outcomes over many runs of one program on any engine. Only complete runs have an outcome. Each other member
/// counts the runs that have no outcome for one particular reason.
struct Histogram {
  /// Maps final values of Program::observables, in their order, to the number of runs that produced these values.
  std::map<std::vector<Value>, std::uint64_t> outcomes;
  std::uint64_t deadlocks = 0;           ///< runs in which some thread could not continue
  std::uint64_t bound_hits = 0;          ///< runs stopped at the step bound
  std::uint64_t dropped = 0;             ///< runs that failed an assume() or the filter
  std::uint64_t assertion_failures = 0;  ///< complete runs in which an assert() failed
  std::uint64_t out_of_bounds = 0;       ///< complete runs with an out-of-bounds access, which had no effect

  /// Returns the number of runs with an outcome.
  std::uint64_t complete() const;
  /// Returns the number of all runs.
  std::uint64_t runs() const { return complete() + deadlocks + bound_hits + dropped; }
  /// Adds the counts of other runs of the same program.
  void merge(const Histogram& other);
};

}  // namespace ambit
