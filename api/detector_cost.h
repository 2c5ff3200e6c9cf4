#pragma once

#include "api/detectors.h"
#include "core/trace.h"
#include "report/results/validation.h"

namespace ambit::api {

/// Shows a run to a detector alone and measures: wall time, inference of locks and flags included, and the bytes of
/// heap that the detector holds at the end, which other threads disturb. Of a program, the memory is the peak of its
/// process.
report::DetectorCost cost_of(const ChosenDetector& chosen, const Trace& trace, const external::RunName& run);

}  // namespace ambit::api
