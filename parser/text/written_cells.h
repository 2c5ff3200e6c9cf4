#pragma once

#include <vector>

#include "core/program.h"

namespace ambit::parser {

/// By location: whether some thread may write the cell. A cell that no thread writes has its initial value in every
/// outcome. Where an address is not known, all cells of its array count as written, or all cells.
std::vector<bool> written_cells(const Program& program);

}  // namespace ambit::parser
