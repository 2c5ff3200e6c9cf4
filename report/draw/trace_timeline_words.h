#pragma once

#include <string>

#include "core/barrier_tracker.h"
#include "core/trace.h"

namespace ambit::report {

/// Describes an event of a trace for pictures: "W x = 1", "RMW.relaxed.gpu.cas lock 0 -> 1", "F.sc.gpu", "bar 0".
std::string trace_event_text(const TraceEvent& event, const TraceTables& tables);

/// Describes a barrier that has completed: "barrier of block 0: 3 threads meet".
std::string barrier_text(const BarrierTracker::Completion& done, const TraceTables& tables);

}  // namespace ambit::report
