#pragma once

#include "api/detectors.h"
#include "core/trace.h"
#include "report/results/validation.h"

namespace ambit::api {

/// Replays a run to one detector and measures two costs. The first is the wall time, including the inference of locks
/// and flags. The second is the number of bytes of heap that the detector holds at the end. Allocations of other
/// threads distort the second. For an external program, the memory is the peak memory of its process.
report::DetectorCost cost_of(const ChosenDetector& chosen, const Trace& trace, const external::RunName& run);

}  // namespace ambit::api
