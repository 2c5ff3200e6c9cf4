#pragma once

#include "core/program.h"

namespace ambit::cli {

/// Prints the remarks of the tests' reader to standard error, with places: "note: ...".
void print_remarks(const Diagnostics& remarks);
/// Prints the remarks on one test.
void print_remarks(const Program& program);

}  // namespace ambit::cli
