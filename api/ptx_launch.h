#pragma once

#include <atomic>
#include <string>

#include "api/program_run.h"
#include "core/source.h"

namespace ambit::api {

/// Runs a kernel of a PTX file (the command's first word) on the virtual GPU in this process, under the detectors of
/// the request. `launch`: the text that parser::read_module_launch reads. Errors: those of read_module_launch; the file
/// cannot be read.
Result<ProgramOutcome> run_ptx(const ProgramRequest& request, const std::string& launch,
                               const std::atomic<bool>& interrupted);

}  // namespace ambit::api
