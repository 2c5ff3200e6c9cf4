#pragma once

#include <vector>

#include "core/program.h"

namespace ambit::parser {

/// Returns, for each location, whether some thread may write its cell. A cell that no thread writes has its initial
/// value in every outcome. If an address is unknown, all cells of its array, or all cells of the program, count as
/// written.
std::vector<bool> written_cells(const Program& program);

}  // namespace ambit::parser
