#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "core/trace.h"

namespace ambit::trace {

/// Opens a trace. The file name selects the format: .btrace binary, .std the STD format, otherwise text. "-" is the
/// standard input, as text. The trace ends when `stopped` (null: never) becomes true, even while the reader waits for
/// a pipe; the flag must outlive the reader. Errors: the file cannot be opened; a binary file is malformed.
Result<std::unique_ptr<TraceReader>> open_trace(const std::string& path, const std::atomic<bool>* stopped = nullptr);

/// Reads a whole trace into memory. Errors: those of the reader.
Result<Trace> read_all(TraceReader& reader);

/// Returns whether the file name is that of a trace: it ends in .trace, .btrace or .std.
bool is_trace_name(const std::string& path);

}  // namespace ambit::trace
