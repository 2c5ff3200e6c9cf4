#pragma once

#include <string>

#include "apps/cli/commands.h"
#include "apps/cli/detector_options.h"
#include "report/draw/trace_timeline.h"

namespace ambit::cli {

/// What `graph` is asked about a trace.
struct TraceQuestion {
  DetectorSelection detectors{.names = "gwcp", .options = {}};
  report::TimelineOptions timeline;
};

/// The group of the options that only traces have.
inline constexpr const char* kTraceOptions = "Traces";

/// Declares the options of `graph` that only traces have; `question` must outlive the command.
void add_trace_options(CLI::App& command, TraceQuestion& question);

/// Reads the trace twice: for its races, and for the part that is drawn. Errors: of the file, the detectors, the
/// threads.
Result<report::Timeline> read_timeline(const std::string& file, const TraceQuestion& question);

}  // namespace ambit::cli
