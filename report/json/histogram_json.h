#pragma once

#include <string>

#include "report/results/run_result.h"

namespace ambit::report {

/// One element of "tests" of the JSON document (docs/cli.md), see json_document.
std::string histogram_json(const RunResult& result);

}  // namespace ambit::report
