#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "report/text/style.h"

namespace ambit::cli {

/// Returns whether the stream is a terminal that supports colours and cursor movements.
bool is_terminal(int file_descriptor);

/// Returns the columns of the terminal at the stream: COLUMNS, or the terminal's own value. 0: the stream is not a
/// terminal, or its width is unknown.
std::size_t terminal_width(int file_descriptor);

/// Returns colours for the standard output on a terminal, unless NO_COLOR is set and not empty.
report::Style output_style();

/// Returns `text` with its lines broken at the width of the terminal; unchanged if the standard output is not a
/// terminal.
std::string fitted(std::string_view text);

}  // namespace ambit::cli
