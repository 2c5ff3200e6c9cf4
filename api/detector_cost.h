#pragma once

#include "api/detectors.h"
#include "core/trace.h"
#include "report/results/validation.h"

namespace ambit::api {

/// Shows a run to a detector alone and measures: wall time, inference of locks and flags included, and the bytes of
/// heap that the detector holds at the end. Other threads' memory disturbs the second. Of a program, the memory is not
/// measured here.
report::DetectorCost cost_of(const ChosenDetector& chosen, const Trace& trace, const external::RunName& run);

}  // namespace ambit::api
