#pragma once

#include <atomic>
#include <string>

#include "api/exec/program_run.h"
#include "base/source.h"

namespace ambit::api {

/// Runs a kernel of a PTX file or a CUDA source on the virtual GPU in this process, with the request's detectors.
/// The first word of the request's command is the path of the file; nvcc compiles a CUDA source (compiled_source).
/// `launch`: the text that parser::read_module_launch reads. Errors: `launch` is invalid; the file cannot be read; the
/// errors of compiled_source.
Result<ProgramOutcome> run_ptx(const ProgramRequest& request, const std::string& launch,
                               const std::atomic<bool>& interrupted);

/// Like run_ptx(), but for PTX that is already read. Does not use the request's command.
Result<ProgramOutcome> run_module(const ProgramRequest& request, const SourceFilePtr& ptx, const std::string& launch,
                                  const std::atomic<bool>& interrupted);

}  // namespace ambit::api
