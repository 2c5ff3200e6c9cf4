#pragma once

#include "detector/detector.h"

namespace ambit::detector {

/// Returns the description of iGUARD on traces. kernels/detectors/iguard_rules.h has its rules.
DetectorDescription iguard();

}  // namespace ambit::detector
