#pragma once

#include "core/program.h"

namespace ambit::parser::litmus {

/// Shortens arrays of which no thread touches the last cells, and which neither the condition nor an expectation names:
/// `__shared__ int a[1000]` of a block of 32 threads then has 32 cells, and the rest takes no event of the limits. Only
/// long rests are dropped, and only where every access that may reach the array has a constant address. No access
/// changes its meaning.
void drop_untouched_cells(Program& program);

}  // namespace ambit::parser::litmus
