#pragma once

#include "core/program.h"

namespace ambit::parser::compiled {

/// Asserts that every expression of the thread reads each register in the register's own width. An address that is
/// converted to a narrower type would lose its object.
void check_register_widths(const Thread& thread);

}  // namespace ambit::parser::compiled
