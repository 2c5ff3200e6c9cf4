#pragma once

#include <string>

#include "report/results/tool_scores.h"

namespace ambit::report {

/// Returns the answers of a tool as a table, the sums, and the reasons for tests without an answer.
std::string tool_text(const ToolTable& table);

}  // namespace ambit::report
