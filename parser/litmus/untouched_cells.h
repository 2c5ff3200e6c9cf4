#pragma once

#include "core/program.h"

namespace ambit::parser::litmus {

/// Shortens arrays whose last cells are accessed by no thread and named by neither the condition nor an expectation:
/// `__shared__ int a[1000]` of a block of 32 threads then has 32 cells, and the other cells do not count towards the
/// limits. Drops only long unused ends, and only if every access that may reach the array has a constant address. No
/// access changes its meaning.
void drop_untouched_cells(Program& program);

}  // namespace ambit::parser::litmus
