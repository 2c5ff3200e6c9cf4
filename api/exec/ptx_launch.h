#pragma once

#include <atomic>
#include <string>

#include "api/exec/program_run.h"
#include "base/source.h"

namespace ambit::api {

/// Runs a kernel of a PTX file on the virtual GPU in this process, under the detectors of the request. The first word
/// of the request's command is the path of the PTX file. `launch`: the text that parser::read_module_launch reads.
/// Errors: `launch` is invalid; the file cannot be read.
Result<ProgramOutcome> run_ptx(const ProgramRequest& request, const std::string& launch,
                               const std::atomic<bool>& interrupted);

}  // namespace ambit::api
