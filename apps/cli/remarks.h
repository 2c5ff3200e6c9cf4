#pragma once

#include "core/program.h"

namespace ambit::cli {

/// Prints remarks from reading tests to standard error, each with its place: "note: ...".
void print_remarks(const Diagnostics& remarks);
/// Prints the remarks on one test.
void print_remarks(const Program& program);

}  // namespace ambit::cli
