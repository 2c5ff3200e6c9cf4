#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/source.h"
#include "parser/text/reporter.h"

namespace ambit::parser::proxy {

/// The body of a .test file in which the values of a table row replace $0, $1, ...
struct TestInstance {
  SourceFilePtr source;  ///< the body, with the path and line numbers of the file; it ends before the line `$$`
  std::size_t row = 0;   ///< number of the row, from 1; 0 if the file has no table
  std::string label;     ///< the values of the row, as in test names; unique
};

/// Returns the instances of a .test file (format of NVIDIA's mixed-proxy tool, docs/reference/ptx-files.md). A line
/// `$$` ends the body. Each later line that is not blank is a row: values separated by `|`. `$N` in the body stands for
/// the N-th value of the row, from 0. A file without `$$` has one instance. Errors: rows of different lengths, which
/// have no instance; `$N` without a column, which is replaced by nothing; a table without rows.
std::vector<TestInstance> instances_of(const SourceFilePtr& file, Reporter& reporter);

}  // namespace ambit::parser::proxy
