#pragma once

#include "base/source.h"
#include "core/program.h"

namespace ambit::parser::compiled {

/// Compares a program that was read from the source code with the program that was read from its compiled code. Returns
/// notes on lines whose accesses the compiler removed or merged, and on lines to which it moved accesses.
Diagnostics differences(const Program& source, const Program& compiled);

}  // namespace ambit::parser::compiled
