#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "core/source.h"
#include "parser/text/reporter.h"

namespace ambit::parser::proxy {

/// A .test file with the values of one row of its table put in.
struct TestInstance {
  SourceFilePtr source;  ///< of the same path; same lines as the file, the table's ones blank
  std::size_t row = 0;   ///< from 1; 0: the file has no table
};

/// The instances of a .test file. A table is the lines that begin with `$$` and a blank: the first names its columns,
/// every other one is a row; `$$NAME` anywhere else stands for the row's value. A file without a table is one instance.
/// Errors: rows with too few or too many values, names that are no columns, a table without rows.
std::vector<TestInstance> instances_of(const SourceFilePtr& file, Reporter& reporter);

}  // namespace ambit::parser::proxy
