#pragma once

#include "api/detectors.h"
#include "core/trace.h"
#include "report/results/validation.h"

namespace ambit::api {

/// Replays a run to one detector, and measures its time and memory. The time is wall-clock time, including the time to
/// infer locks and flags. The memory is the number of heap bytes that the detector holds at the end. For an external
/// program, the memory is the peak memory of the program's process. Allocations by other threads distort the measured
/// memory.
report::DetectorCost cost_of(const ChosenDetector& chosen, const Trace& trace, const external::RunName& run);

}  // namespace ambit::api
