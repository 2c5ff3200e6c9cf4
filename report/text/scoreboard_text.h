#pragma once

#include <string>

#include "report/results/scoreboard.h"

namespace ambit::report {

/// Returns the scoreboard as a table with two columns for each suite. A list of the suites follows.
std::string scoreboard_text(const Scoreboard& board);

}  // namespace ambit::report
