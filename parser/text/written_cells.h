#pragma once

#include <vector>

#include "core/program.h"

namespace ambit::parser {

/// Returns, by location, whether some thread may write the cell. A cell that no thread writes has its initial value in
/// every outcome. For an unknown address, all cells of its array, or all cells, count as written.
std::vector<bool> written_cells(const Program& program);

}  // namespace ambit::parser
