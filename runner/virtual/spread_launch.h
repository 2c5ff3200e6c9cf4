#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "runner/virtual/machine.h"

namespace ambit::virtual_gpu {

/// Properties of a kernel that determine whether its blocks are spread over host threads. The properties are kept from
/// launch to launch.
struct SpreadKnowledge {
  bool is_known = false;       ///< `is_possible` and the properties that follow from the code are set
  bool is_possible = false;    ///< no instruction requires a single thread, and no launch on several threads has failed
  unsigned granule_shift = 2;  ///< log2 of the narrowest store's bytes, as in TouchedMemory
  /// Instructions of a warp in the last launch. Before the first launch, an estimate that follows from the code.
  double steps_of_warp = 0;
  std::set<std::uint32_t> tracked;  ///< allocations that are both read and written
  unsigned untracked_launches = 0;  ///< number of launches that restarted because an allocation was not tracked
  /// A copy of the kernel's code for each thread, because instructions cache their results.
  std::vector<std::unique_ptr<KernelCode>> codes;
};

/// Fills in the properties that follow from the code alone. Spreading is possible only if the code has no atomics, no
/// volatile or synchronising accesses to global memory, and no instructions that print, allocate or read a clock.
void look_at_code(SpreadKnowledge& known, const KernelCode& code);
/// Returns whether a launch can run on several threads and is large enough to benefit.
bool is_worth_spreading(const SpreadKnowledge& known, const MachineParts& parts);
/// Records the number of instructions of a launch that has completed.
void note_steps(SpreadKnowledge& known, const MachineParts& parts, const LaunchReport& report);

struct SpreadOutcome {
  /// The report, which is the same as for a launch on one thread. If absent, memory is unchanged, and the launch must
  /// still run on one thread.
  std::optional<LaunchReport> report;
  bool was_stopped = false;  ///< the context stopped the launch
};
/// Executes a launch on several threads (spread.h). `make_code` translates the kernel again with KernelCode::is_spread.
SpreadOutcome spread_launch(SpreadKnowledge& known, const MachineParts& parts,
                            const std::function<std::unique_ptr<KernelCode>()>& make_code);

}  // namespace ambit::virtual_gpu
