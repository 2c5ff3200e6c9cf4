#pragma once

#include <string>

#include "core/source.h"
#include "runner/cuda/run_report.h"

namespace ambit::cuda {

/// A report as one line of JSON: what worker processes send, and what `ambit run --json` holds of each test.
std::string report_to_json(const RunReport& report);
/// The report back. Errors: it is none, or torn.
Result<RunReport> report_from_json(const std::string& text);

}  // namespace ambit::cuda
