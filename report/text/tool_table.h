#pragma once

#include <string>

#include "report/results/tool_scores.h"

namespace ambit::report {

/// Returns a tool's answers as a table, with totals and with reasons for tests without an answer.
std::string tool_text(const ToolTable& table);

}  // namespace ambit::report
