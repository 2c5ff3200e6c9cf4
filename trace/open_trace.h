#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "core/trace.h"

namespace ambit::trace {

/// Opens a trace. The file name determines the format: .btrace is the binary format, .std is the STD format, and other
/// names are the text format. "-" is the standard input in the text format. The trace ends when `stopped` becomes true,
/// even while the reader waits for a pipe. `stopped` must outlive the reader, and may be null. Returns an error if the
/// file cannot be opened, or if a binary file is malformed.
Result<std::unique_ptr<TraceReader>> open_trace(const std::string& path, const std::atomic<bool>* stopped = nullptr);

/// Reads a whole trace into memory. Returns the reader's error, if any.
Result<Trace> read_all(TraceReader& reader);

/// Returns whether the file name is the name of a trace: it ends in .trace, .btrace or .std.
bool is_trace_name(const std::string& path);

}  // namespace ambit::trace
