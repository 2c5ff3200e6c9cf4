#pragma once

#include <string>

#include "base/source.h"
#include "runner/cuda/stress/run_report.h"

namespace ambit::cuda {

/// Returns a report as one line of JSON, which worker processes send and `ambit run --json` prints for each test.
std::string report_to_json(const RunReport& report);
/// Reads a report. Errors: the text is not a report, or is incomplete.
Result<RunReport> report_from_json(const std::string& text);

}  // namespace ambit::cuda
