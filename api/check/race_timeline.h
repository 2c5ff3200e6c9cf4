#pragma once

#include <atomic>
#include <string>

#include "api/detectors.h"
#include "report/draw/trace_timeline.h"

namespace ambit::api {

/// The parts of a trace to draw.
struct TraceQuestion {
  DetectorSelection detectors{.names = "gwcp"};
  report::TimelineOptions timeline;
};

/// Draws a trace file as a timeline, with the races that the detectors report. Reads the file twice. Errors: the file,
/// a detector name or a thread name is invalid; `stopped` was set before the end of the trace.
Result<report::Timeline> race_timeline(const std::string& file, const TraceQuestion& question,
                                       const std::atomic<bool>& stopped);

}  // namespace ambit::api
