#pragma once

#include <memory>
#include <string>

#include "core/trace.h"

namespace ambit::trace {

/// A reader for a file by its name: .btrace binary, .std the STD format, anything else text. "-": the standard input,
/// as text. Errors: the file cannot be opened; a binary one is malformed.
Result<std::unique_ptr<TraceReader>> open_trace(const std::string& path);

/// A whole trace in memory. Errors: the reader's.
Result<Trace> read_all(TraceReader& reader);

/// True for the names that open_trace takes for traces: they end in .trace, .btrace or .std.
bool is_trace_name(const std::string& path);

}  // namespace ambit::trace
