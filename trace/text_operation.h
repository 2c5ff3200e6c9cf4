#pragma once

#include <string>
#include <string_view>

#include "core/trace.h"

namespace ambit::trace {

/// Parses the operation of an event line, such as "rmw.relaxed.gpu.exch". Sets everything except the operands in
/// `event`. Returns an error message, or empty.
std::string parse_operation(std::string_view word, TraceEvent& event);

}  // namespace ambit::trace
