#pragma once

#include <string>

#include "report/results/run_result.h"
#include "runner/sim/simulate.h"
#include "runner/sim/simulator_options.h"

namespace ambit::api {

/// Adds to a result how the simulator runs the test. `schedule_file`: the file of a schedule that is replayed; empty:
/// none.
void describe(const sim::Options& options, const std::string& schedule_file, report::RunResult& result);

/// Adds to a result what became of the runs. `is_search`: of all schedules.
void add_runs(const sim::Simulation& simulation, bool is_search, report::RunResult& result);

}  // namespace ambit::api
