#pragma once

#include <string>
#include <string_view>

#include "core/trace.h"

namespace ambit::trace {

/// Parses the operation of an event line, such as "rmw.relaxed.gpu.exch". Sets all members of `event` except the
/// operands. Returns an error message, or an empty text.
std::string parse_operation(std::string_view word, TraceEvent& event);

}  // namespace ambit::trace
