#pragma once

#include "core/program.h"

namespace ambit::parser::compiled {

/// Asserts that every expression of the thread reads registers with the widths that they have: an address that passes
/// through a narrower type loses its object.
void check_register_widths(const Thread& thread);

}  // namespace ambit::parser::compiled
