#pragma once

#include <atomic>
#include <cstdint>
#include <functional>

#include "api/exec/program_request.h"
#include "base/source.h"
#include "runner/shadow/strengthening.h"

namespace ambit::api {

/// A single run of a program or a launch.
struct SingleRun {
  std::uint64_t seed = 1;
  shadow::Strengthening strengthening = shadow::Strengthening::None;
  bool is_extra = false;  ///< whether RunCount or a remedy trial added the run; its output is dropped
};

/// Performs one run and returns its report. Records in `outcome` how the run ended. Errors: the run could not start.
using DoRun = std::function<Result<ProgramReport>(const SingleRun& run, ProgramOutcome& outcome)>;

/// Runs a program as often as RunCount decides, each time with the next seed. Then runs the program again to try
/// remedies (try_remedies). Returns the merged report and how the runs ended. Errors: errors of `do_run`.
Result<ProgramOutcome> run_repeatedly(const ProgramRequest& request, const DoRun& do_run,
                                      const std::atomic<bool>& interrupted);

}  // namespace ambit::api
