#pragma once

#include "detector/detector.h"

namespace ambit::detector {

/// Returns the description of ScoRD on traces. kernels/detectors/scord_rules.h has its rules.
DetectorDescription scord();

}  // namespace ambit::detector
