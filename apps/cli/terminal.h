#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "report/text/style.h"

namespace ambit::cli {

/// Whether the stream is a terminal that understands colours and cursor movements.
bool is_terminal(int file_descriptor);

/// Columns of the terminal at the stream: COLUMNS, or what the terminal says. 0: the stream is no terminal, or its
/// width is not known.
std::size_t terminal_width(int file_descriptor);

/// Colours for the standard output: on a terminal, unless NO_COLOR is set and not empty.
report::Style output_style();

/// `text` with its lines broken at the width of the terminal; unchanged where the standard output is no terminal.
std::string fitted(std::string_view text);

}  // namespace ambit::cli
