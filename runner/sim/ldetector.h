#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/context.h"
#include "base/source.h"
#include "core/program.h"
#include "core/race_report.h"
#include "core/trace.h"

namespace ambit::sim {

struct LDetectorOptions {
  /// If true, the next region starts from the result of pass one, in parallel with pass two and the checks of this
  /// region. If the checks find a race, the next region is rolled back. The reports are the same as without
  /// speculation.
  bool speculative = false;
  std::uint64_t max_steps = 1000000;  ///< limit on the steps of one warp in one region
};

/// The result of ldetector().
struct LDetectorResult {
  TraceTables tables;                ///< names of the threads, locations and sites in the reports
  std::vector<RaceReport> races;     ///< races without event numbers, because there is no trace
  std::vector<std::string> remarks;  ///< the unchecked parts, each with the reason
  std::uint64_t regions = 0;         ///< number of regions that were checked
  std::uint64_t rollbacks = 0;       ///< number of regions that speculation rolled back
  bool is_cancelled = false;         ///< the context stopped the search; `races` holds the races found so far

  /// Returns whether some part was not checked. In that case, the program may have races even if `races` is empty.
  bool is_open() const { return !remarks.empty(); }
};

/// LDetector (Li et al., "LDetector: A Low Overhead Race Detector For GPU Programs", 2014): finds races on shared
/// memory between the warps of a block by comparing values. A region is the code between two barriers of a block. Pass
/// one runs each warp on a copy of shared memory. If two warps changed a cell, there is a write-write race. Pass two
/// runs each warp again, on memory that contains the changes of all other warps. A changed cell with different final
/// values in the two passes shows a read-write race, because the warp has read a value of another warp. The run of a
/// block ends after its first region with a race. Blocks run one after the other.
///
/// The detector reports no false positives for programs that it accepts. The detector misses races with writes that do
/// not change the value and races with reads that do not influence a changed cell. LDetector also misses read-write
/// races in a region with a write-write race, races between lanes of one warp, and races on global memory.
///
/// Errors, located in the program: a program without shared memory, or a program with unsupported features. The
/// unsupported features are atomics, locks, exchanged values, barriers of a part of a block, loops that wait for
/// another thread, and accesses by other proxies than the generic proxy.
Result<LDetectorResult> ldetector(const Program& program, const LDetectorOptions& options, Context& context);

}  // namespace ambit::sim
