#pragma once

#include "core/program.h"

namespace ambit::cli {

/// Prints what the reader of tests remarks on to standard error, with places: "note: ...".
void print_remarks(const Diagnostics& remarks);
/// The remarks on one test.
void print_remarks(const Program& program);

}  // namespace ambit::cli
