#pragma once

#include "core/program.h"

namespace ambit::cli {

/// Prints the remarks of the reader on a test to standard error, with their places: "note: ...".
void print_remarks(const Program& program);

}  // namespace ambit::cli
