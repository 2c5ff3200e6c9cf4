#pragma once

#include <string>

#include "report/results/tool_scores.h"

namespace ambit::report {

/// The answers of a tool as a table, the sums, and why tests have no answer.
std::string tool_text(const ToolTable& table);

}  // namespace ambit::report
