#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "base/context.h"
#include "base/source.h"
#include "runner/cuda/stress/explorer.h"
#include "runner/cuda/worker/isolated.h"

namespace ambit::cuda {

/// A campaign that spends a time budget on tests with missing outcomes (explorer.h).
struct Exploration {
  double budget = 0;                ///< seconds for the whole campaign, including the time without a running kernel
  double spent = 0;                 ///< seconds spent by earlier parts of the campaign
  std::vector<ExplorerTest> tests;  ///< in the order of the campaign's tests; the caller fills in `shape`
};

struct ExplorationEvents {
  std::function<void(const DeviceInfo&)> on_device;
  /// Called before each trial. `lacking` is the number of tests with a missing outcome, `spent` the seconds of the
  /// budget that are already spent.
  std::function<void(std::size_t test, std::size_t lacking, double spent)> on_trial;
  /// Called with the result of a trial, even if the trial failed. `seconds` is the time that the trial took.
  std::function<void(std::size_t test, const TestEnd&, double seconds)> on_end;
};

/// Runs trials in a worker process (isolated.h) until the budget is spent, no outcome is missing, or the context is
/// cancelled. If a trial fails, hangs or ends the worker, its test does not run again. Returns an error only if no
/// worker can start.
Result<bool> run_exploration(const Campaign& campaign, Exploration exploration, const ExplorationEvents& events,
                             const Context& context);

}  // namespace ambit::cuda
