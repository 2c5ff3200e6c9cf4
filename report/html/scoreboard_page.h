#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/results/scoreboard.h"

namespace ambit::report {

/// Returns the page of the scoreboard: one table in which each figure links to a page.
std::string scoreboard_page(const Scoreboard& board, const std::vector<std::string>& notes);
/// Returns the page with a tool's answers about one suite. `about`: the settings of the campaign that ran the tool.
std::string tool_page(const ToolTable& table, std::string_view about);

}  // namespace ambit::report
