#pragma once

#include "detector/detector.h"

namespace ambit::detector {

/// Returns the description of the iGUARD detector for traces. kernels/detectors/iguard_rules.h has its rules.
DetectorDescription iguard();

}  // namespace ambit::detector
