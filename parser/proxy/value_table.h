#pragma once

#include <cstddef>
#include <vector>

#include "core/source.h"
#include "parser/text/reporter.h"

namespace ambit::parser::proxy {

/// A .test file with the values of one table row substituted.
struct TestInstance {
  SourceFilePtr source;  ///< has the path and the line numbers of the file; table lines are blank
  std::size_t row = 0;   ///< from 1; 0: the file has no table
};

/// Returns the instances of a .test file. A table consists of the lines that begin with `$$` and a blank: the first
/// names the columns, every other line is a row. `$$NAME` in other lines stands for the row's value. A file without a
/// table has one instance. Errors: rows with too few or too many values; unknown columns; a table without rows.
std::vector<TestInstance> instances_of(const SourceFilePtr& file, Reporter& reporter);

}  // namespace ambit::parser::proxy
