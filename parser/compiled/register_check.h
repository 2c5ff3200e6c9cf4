#pragma once

#include "core/program.h"

namespace ambit::parser::compiled {

/// Asserts that every expression of the thread reads registers in their own widths. An address that passes through a
/// narrower type loses its object.
void check_register_widths(const Thread& thread);

}  // namespace ambit::parser::compiled
