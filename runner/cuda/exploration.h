#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "core/context.h"
#include "core/source.h"
#include "runner/cuda/explorer.h"
#include "runner/cuda/isolated.h"

namespace ambit::cuda {

/// A campaign that spends a time budget on tests with missing outcomes (explorer.h).
struct Exploration {
  double budget = 0;                ///< seconds for the whole campaign, including the time without a running kernel
  double spent = 0;                 ///< seconds spent by earlier parts of the campaign
  std::vector<ExplorerTest> tests;  ///< tests, indexed by the number in the campaign; `shape` is filled in
};

struct ExplorationEvents {
  std::function<void(const DeviceInfo&)> on_device;
  /// Called before each trial. `lacking` is the number of tests that lack an outcome, `spent` the spent seconds of the
  /// budget.
  std::function<void(std::size_t test, std::size_t lacking, double spent)> on_trial;
  /// Called with the result of a trial or of its failed attempt. `seconds` is the spent part of the budget.
  std::function<void(std::size_t test, const TestEnd&, double seconds)> on_end;
};

/// Runs trials in a worker process (isolated.h) until the budget is spent, no outcome is missing, or the context is
/// cancelled. A test runs no more after a trial of it fails, hangs, or ends the worker. Returns an error only if no
/// worker can start.
Result<bool> run_exploration(const Campaign& campaign, Exploration exploration, const ExplorationEvents& events,
                             const Context& context);

}  // namespace ambit::cuda
