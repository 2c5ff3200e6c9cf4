#pragma once

#include <vector>

#include "core/program.h"

namespace ambit::parser {

/// Returns for each location whether a thread may write its cell. A cell that no thread writes has its initial value in
/// every outcome. If the address of a write is not constant, all cells of its array may be written. If even the array
/// is unknown, all cells of the program may be written.
std::vector<bool> written_cells(const Program& program);

}  // namespace ambit::parser
