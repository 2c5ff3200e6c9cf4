#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/context.h"
#include "core/program.h"
#include "core/race_report.h"
#include "core/source.h"
#include "core/trace.h"

namespace ambit::sim {

struct LDetectorOptions {
  /// Pass two and the checks of a region run in parallel with the next region, which starts from the result of pass
  /// one. If they find a race, the next region is rolled back. The reports are the same.
  bool speculative = false;
  std::uint64_t max_steps = 1000000;  ///< of one warp in one region
};

/// The result of ldetector().
struct LDetectorResult {
  TraceTables tables;                ///< names of threads, locations and sites of the reports
  std::vector<RaceReport> races;     ///< without event numbers: there is no trace
  std::vector<std::string> remarks;  ///< unchecked parts and the reasons, one line each
  std::uint64_t regions = 0;         ///< that were checked
  std::uint64_t rollbacks = 0;       ///< speculative: regions rolled back
  bool is_cancelled = false;         ///< the context stopped it; `races` holds the races found so far

  /// Returns whether something was not checked: an empty `races` then does not mean that there is no race.
  bool is_open() const { return !remarks.empty(); }
};

/// LDetector (Li et al., "LDetector: A Low Overhead Race Detector For GPU Programs", 2014): finds races on shared
/// memory between the warps of a block by comparing values. A region lies between two barriers of a block. Pass one
/// runs each warp on a copy of shared memory; cells that two warps changed are write-write races. Pass two runs each
/// warp again with the changes of all others in place; if a changed cell now has a different final value, some warp has
/// read what another warp wrote: a read-write race. The run of a block ends at its first racy region. Blocks run one
/// after the other.
///
/// Reports no false positives for programs that it accepts. Misses writes of the old value, reads that influence no
/// changed cell, read-write races of a region that has a write-write race, races between lanes of one warp, and races
/// on global memory.
///
/// Errors, with their place: programs that it does not support (atomics, locks, exchanged values, barriers of less or
/// more than a block, loops that wait for another thread, accesses by other proxies), and programs without shared
/// memory.
Result<LDetectorResult> ldetector(const Program& program, const LDetectorOptions& options, Context& context);

}  // namespace ambit::sim
