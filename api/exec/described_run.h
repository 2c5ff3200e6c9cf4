#pragma once

#include "api/exec/program_request.h"
#include "report/results/program_races.h"

namespace ambit::api {

/// Describes runs in words for reports: the runs that took place, and the kinds of executions that were not tried.
report::ProgramRun described_run(const ProgramRequest& request, const ProgramOutcome& outcome);

}  // namespace ambit::api
