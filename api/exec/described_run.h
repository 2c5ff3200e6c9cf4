#pragma once

#include "api/exec/program_request.h"
#include "report/results/program_races.h"

namespace ambit::api {

/// Describes the runs for a report: which runs took place, and which kinds of executions were not tried.
report::ProgramRun described_run(const ProgramRequest& request, const ProgramOutcome& outcome);

}  // namespace ambit::api
