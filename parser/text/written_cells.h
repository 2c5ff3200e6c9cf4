#pragma once

#include <vector>

#include "core/program.h"

namespace ambit::parser {

/// Returns for each location whether a thread may write the location's cell. A cell that no thread writes has its
/// initial value in every outcome. If the address of a write is not constant, the write may write all cells of the
/// array. If the array is unknown, the write may write all cells of the program.
std::vector<bool> written_cells(const Program& program);

}  // namespace ambit::parser
