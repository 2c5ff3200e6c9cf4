#pragma once

#include "base/source.h"
#include "core/program.h"

namespace ambit::parser::compiled {

/// Compares a program that was read from the source code with the program that was read from its compiled code. Returns
/// a note for each line from which the compiler removed accesses, and for each line to which it moved accesses.
Diagnostics differences(const Program& source, const Program& compiled);

}  // namespace ambit::parser::compiled
