#pragma once

#include <cstddef>

#include "parser/ptx/test_tree.h"
#include "parser/text/reporter.h"

namespace ambit::parser::ptx {

/// Reads the columns of a PTX litmus file from byte offset `begin` on: initial values, thread row, instruction rows.
/// Errors: text that is not a table of instructions; rows with too few or too many cells.
TestNode read_table(const SourceFile& source, std::size_t begin, Reporter& reporter);

}  // namespace ambit::parser::ptx
