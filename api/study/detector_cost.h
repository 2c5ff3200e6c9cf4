#pragma once

#include "api/detectors.h"
#include "core/trace.h"
#include "report/results/validation.h"

namespace ambit::api {

/// Replays a run to one detector and measures two costs. The first is the wall time, including the inference of locks
/// and flags. The second is the memory: the bytes of heap that the detector holds at the end. For an external program,
/// it is the peak memory of the program's process. Allocations of other threads distort the memory figure.
report::DetectorCost cost_of(const ChosenDetector& chosen, const Trace& trace, const external::RunName& run);

}  // namespace ambit::api
