#pragma once

#include "core/program.h"
#include "ptx/code_writer.h"

namespace ambit::ptx {

/// How a test's instructions are written. Errors: cells of different sizes are reached through registers, so that PTX's
/// byte offsets cannot be had from the program's element numbers.
Style find_style(const Program& program, Diagnostics& errors);

}  // namespace ambit::ptx
