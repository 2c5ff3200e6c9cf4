#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/source.h"
#include "parser/text/reporter.h"

namespace ambit::parser::proxy {

/// The body of a .test file after $0, $1, ... have been replaced by the values of a table row.
struct TestInstance {
  SourceFilePtr source;  ///< the body, up to the line `$$`, with the path and line numbers of the file
  std::size_t row = 0;   ///< number of the row, from 1; 0 if the file has no table
  std::string label;     ///< the values of the row as test names contain them; unique in the file
};

/// Returns the instances of a .test file (format of NVIDIA's mixed-proxy tool, docs/reference/ptx-files.md), one for
/// each table row. A line `$$` ends the body. Each later line that is not blank is a row: values separated by `|`. `$N`
/// in the body means the value of column N of the row, counted from 0. A file without `$$` has one instance. Errors: a
/// row and the first row have different lengths (the row has no instance); the table has no column for `$N` (`$N`
/// becomes empty); the table has no rows.
std::vector<TestInstance> instances_of(const SourceFilePtr& file, Reporter& reporter);

}  // namespace ambit::parser::proxy
