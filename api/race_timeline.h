#pragma once

#include <string>

#include "api/detectors.h"
#include "report/draw/trace_timeline.h"

namespace ambit::api {

/// What is drawn of a trace.
struct TraceQuestion {
  DetectorSelection detectors{.names = "gwcp"};
  report::TimelineOptions timeline;
};

/// A file with a trace as a timeline, with the races that the detectors report. Reads the file twice. Errors: those of
/// the file, the detectors, the threads.
Result<report::Timeline> race_timeline(const std::string& file, const TraceQuestion& question);

}  // namespace ambit::api
