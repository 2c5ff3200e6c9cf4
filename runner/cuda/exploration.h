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
  double budget = 0;                ///< seconds of the whole campaign, including everything besides kernels
  double spent = 0;                 ///< seconds spent by earlier parts of the campaign
  std::vector<ExplorerTest> tests;  ///< by number of the campaign's test; `shape` is filled in
};

struct ExplorationEvents {
  std::function<void(const DeviceInfo&)> on_device;
  /// Called before each trial with the number of tests that lack an outcome, and the spent seconds of the budget.
  std::function<void(std::size_t test, std::size_t lacking, double spent)> on_trial;
  /// Called with the result of a trial or of its failed attempt; `seconds`: of the budget.
  std::function<void(std::size_t test, const TestEnd&, double seconds)> on_end;
};

/// Runs trials in a worker process (isolated.h) until the budget is spent, no outcome is missing, or the context is
/// cancelled. A test whose trial fails, hangs or ends the worker runs no more. Errors: no worker can start at all.
Result<bool> run_exploration(const Campaign& campaign, Exploration exploration, const ExplorationEvents& events,
                             const Context& context);

}  // namespace ambit::cuda
