#pragma once

#include "core/program.h"
#include "ptx/code_writer.h"

namespace ambit::ptx {

/// Returns how a test's instructions are written. Errors: registers address cells of different sizes, so PTX's byte
/// offsets do not follow from the program's element numbers.
Style find_style(const Program& program, Diagnostics& errors);

}  // namespace ambit::ptx
