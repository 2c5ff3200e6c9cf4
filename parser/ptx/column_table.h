#pragma once

#include <cstddef>

#include "parser/ptx/test_tree.h"
#include "parser/text/reporter.h"

namespace ambit::parser::ptx {

/// Reads the body of a PTX litmus file from byte offset `begin`: initial values, the row with the threads, and the rows
/// of instructions. Errors: the text is not a table of instructions; a row has too few or too many cells.
TestNode read_table(const SourceFile& source, std::size_t begin, Reporter& reporter);

}  // namespace ambit::parser::ptx
