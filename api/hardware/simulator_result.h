#pragma once

#include <string>

#include "report/results/run_result.h"
#include "runner/sim/simulate.h"
#include "runner/sim/simulator_options.h"

namespace ambit::api {

/// Records the simulator's settings in a result. `schedule_file`: path of the schedule to replay; may be empty.
void describe(const sim::Options& options, const std::string& schedule_file, report::RunResult& result);

/// Adds the numbers of runs to a result. `is_search`: whether the runs covered all schedules.
void add_runs(const sim::Simulation& simulation, bool is_search, report::RunResult& result);

}  // namespace ambit::api
