#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "core/context.h"
#include "core/source.h"
#include "runner/cuda/explorer.h"
#include "runner/cuda/isolated.h"

namespace ambit::cuda {

/// A campaign that spends a budget of time where outcomes are missing (explorer.h).
struct Exploration {
  double budget = 0;                ///< seconds of the whole, with all that it takes besides kernels
  double spent = 0;                 ///< of them, by earlier parts of the campaign
  std::vector<ExplorerTest> tests;  ///< by number of the campaign's test; `shape` is filled in
};

struct ExplorationEvents {
  std::function<void(const DeviceInfo&)> on_device;
  /// Before each trial: how many tests lack an outcome, and the seconds of the budget that are over.
  std::function<void(std::size_t test, std::size_t lacking, double spent)> on_trial;
  /// What a trial, or its failed attempt, left; `seconds`: of the budget.
  std::function<void(std::size_t test, const TestEnd&, double seconds)> on_end;
};

/// Runs trials in a worker process (isolated.h) until the budget is spent, no outcome is missing, or the context is
/// cancelled. A test whose trial fails, hangs or ends the worker runs no more. Errors: no worker can start at all.
Result<bool> run_exploration(const Campaign& campaign, Exploration exploration, const ExplorationEvents& events,
                             const Context& context);

}  // namespace ambit::cuda
