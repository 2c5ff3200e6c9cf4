#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/program.h"
#include "ptx/code_writer.h"
#include "ptx/ptx_names.h"

namespace ambit::ptx {

/// The column of one thread in a PTX litmus table.
struct Column {
  std::vector<std::string> cells;
  std::vector<std::string> zeros;  ///< registers that are read but never written; their initial value is 0
};

/// Translates the code of a thread to PTX instructions, according to the documented ABI (definitions 2.1). Error: the
/// format cannot express the code.
Column write_thread(const Program& program, std::size_t thread, Names& names, const Style& style, Diagnostics& errors);

}  // namespace ambit::ptx
