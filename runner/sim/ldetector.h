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
  /// one. If the checks find a race, the next region is rolled back. The reports are the same as without speculation.
  bool speculative = false;
  std::uint64_t max_steps = 1000000;  ///< the most steps of one warp in one region
};

/// The result of ldetector().
struct LDetectorResult {
  TraceTables tables;                ///< names of the threads, locations and sites in the reports
  std::vector<RaceReport> races;     ///< races without event numbers, because there is no trace
  std::vector<std::string> remarks;  ///< unchecked parts and the reasons, one per line
  std::uint64_t regions = 0;         ///< number of regions that were checked
  std::uint64_t rollbacks = 0;       ///< speculative: number of regions that were rolled back
  bool is_cancelled = false;         ///< the context stopped the search; `races` holds the races found so far

  /// Returns whether some part was not checked. An empty `races` then does not mean that there is no race.
  bool is_open() const { return !remarks.empty(); }
};

/// LDetector (Li et al., "LDetector: A Low Overhead Race Detector For GPU Programs", 2014): finds races on shared
/// memory between the warps of a block by comparing values. A region is the code between two barriers of a block. Pass
/// one runs each warp on a copy of shared memory. If two warps changed a cell, there is a write-write race. Pass two
/// runs each warp again with the changes of all other warps in place. If a changed cell now has a different final
/// value, some warp has read what another warp wrote: a read-write race. The run of a block ends at its first racy
/// region. Blocks run one after the other.
///
/// The detector reports no false positives for programs that it accepts. It misses writes of the old value, reads that
/// do not influence a changed cell, read-write races in a region that has a write-write race, races between lanes of
/// one warp, and races on global memory.
///
/// Errors, located in the program: a program without shared memory, or a program with unsupported features. These are
/// atomics, locks, exchanged values, barriers of less or more than a block, loops that wait for another thread, and
/// accesses by other proxies.
Result<LDetectorResult> ldetector(const Program& program, const LDetectorOptions& options, Context& context);

}  // namespace ambit::sim
