#pragma once

#include "detector/detector.h"

namespace ambit::detector {

/// Returns the description of the ScoRD detector for traces. kernels/detectors/scord_rules.h has its rules.
DetectorDescription scord();

}  // namespace ambit::detector
