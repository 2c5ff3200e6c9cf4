#pragma once

#include "core/program.h"

namespace ambit::parser::compiled {

/// Asserts that the expressions of the thread read each register at its full width. A narrower read of a register that
/// holds an address would lose the part of the address that identifies the object.
void check_register_widths(const Thread& thread);

}  // namespace ambit::parser::compiled
