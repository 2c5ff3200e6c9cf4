#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "report/text/style.h"

namespace ambit::cli {

/// Returns whether the stream is a terminal that supports colours and cursor movements.
bool is_terminal(int file_descriptor);

/// Returns the number of columns of the stream's terminal: the value of COLUMNS, or otherwise the number that the
/// terminal reports. Returns 0 if the stream is not a terminal, or if the width is unknown.
std::size_t terminal_width(int file_descriptor);

/// Returns a style with colours if the standard output is a terminal, unless NO_COLOR is set to a non-empty value.
report::Style output_style();

/// Breaks the lines of `text` at the width of the terminal. Returns `text` unchanged if the standard output is not a
/// terminal.
std::string fitted(std::string_view text);

}  // namespace ambit::cli
