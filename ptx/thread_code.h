#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/program.h"
#include "ptx/code_writer.h"
#include "ptx/ptx_names.h"

namespace ambit::ptx {

/// The column of one thread.
struct Column {
  std::vector<std::string> cells;
  std::vector<std::string> zeros;  ///< registers that are read but never written; they contain 0
};

/// Returns a thread's instructions under the documented ABI (definitions 2.1). Error: the format cannot express the
/// code.
Column write_thread(const Program& program, std::size_t thread, Names& names, const Style& style, Diagnostics& errors);

}  // namespace ambit::ptx
