#pragma once

#include <string>
#include <string_view>

#include "core/trace.h"

namespace ambit::trace {

/// The operation of an event line taken apart: "rmw.relaxed.gpu.exch". Everything but the operands is set in `event`.
/// An error message, or empty.
std::string parse_operation(std::string_view word, TraceEvent& event);

}  // namespace ambit::trace
