#pragma once

#include <cstdint>

#include "apps/cli/command_line.h"
#include "runner/sim/simulator_options.h"

namespace ambit::cli {

/// The options of `validate` and `scoreboard` that describe the runs.
struct ValidationRuns {
  sim::Options options = {.memory = sim::MemoryKind::Sc, .schedule = sim::ScheduleKind::Exhaustive};
  std::uint64_t sampled = 0;  ///< number of runs of each test; 0 to run every schedule
  unsigned timeout = 60;      ///< seconds for the runs of one test, and for a model's verdict on it
  unsigned jobs = 1;

  /// Sets the number and the kind of the runs in `options`. Call this function after the command line was read.
  void choose();
};

/// Declares the options that describe the runs: --runs, --schedule, --seed, --memory, --timeout and --jobs. `runs` must
/// outlive the command line.
void declare_validation_runs(Command command, ValidationRuns& runs);

}  // namespace ambit::cli
