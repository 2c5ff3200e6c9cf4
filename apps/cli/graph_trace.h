#pragma once

#include "api/race_timeline.h"
#include "apps/cli/commands.h"

namespace ambit::cli {

/// The group of the options that only traces have.
inline constexpr const char* kTraceOptions = "Traces";

/// Declares the options of `graph` that only traces have; `question` must outlive the command.
void add_trace_options(CLI::App& command, api::TraceQuestion& question);

}  // namespace ambit::cli
