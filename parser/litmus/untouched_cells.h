#pragma once

#include "core/program.h"

namespace ambit::parser::litmus {

/// Shortens arrays. Drops the last cells of an array if no thread accesses these cells and no condition or expectation
/// names them. For example, `__shared__ int a[1000]` in a block of 32 threads may become 32 cells. Dropped cells do not
/// count towards the limits. The function drops cells only if many cells are unused and every access that may reach the
/// array has a constant address. The meaning of all accesses remains the same.
void drop_untouched_cells(Program& program);

}  // namespace ambit::parser::litmus
