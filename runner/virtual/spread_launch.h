#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "runner/virtual/machine.h"

namespace ambit::virtual_gpu {

/// What is known of a kernel about spreading its blocks over threads; it lasts from launch to launch.
struct SpreadKnowledge {
  bool is_known = false;       ///< `is_possible` and what follows from the code
  bool is_possible = false;    ///< no instruction forbids it, and no launch has failed
  unsigned granule_shift = 2;  ///< of the narrowest store, as in TouchedMemory
  double steps_of_warp = 0;    ///< instructions of a warp in the last launch; before the first a guess from the code
  std::set<std::uint32_t> tracked;  ///< allocations that are both read and written
  unsigned untracked_launches = 0;  ///< that had to begin again because one was not tracked
  /// The kernel's code for each thread; instructions remember what they have met.
  std::vector<std::unique_ptr<KernelCode>> codes;
};

/// Fills in what follows from the code alone: no atomics, volatile or synchronising accesses to global memory, nothing
/// that prints, allocates or reads a clock.
void look_at_code(SpreadKnowledge& known, const KernelCode& code);
/// Whether a launch can be spread and is large enough for it.
bool is_worth_spreading(const SpreadKnowledge& known, const MachineParts& parts);
/// Notes the instructions of a launch that has completed.
void note_steps(SpreadKnowledge& known, const MachineParts& parts, const LaunchReport& report);

struct SpreadOutcome {
  /// What one thread would have reported; nothing: memory is as it was before, and the launch must run on one thread.
  std::optional<LaunchReport> report;
  bool was_stopped = false;  ///< by the context
};
/// Executes a launch on several threads (spread.h). `make_code` translates the kernel once more, with
/// KernelCode::is_spread.
SpreadOutcome spread_launch(SpreadKnowledge& known, const MachineParts& parts,
                            const std::function<std::unique_ptr<KernelCode>()>& make_code);

}  // namespace ambit::virtual_gpu
