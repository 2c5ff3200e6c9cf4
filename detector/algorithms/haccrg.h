#pragma once

#include "detector/detector.h"

namespace ambit::detector {

/// Returns the descriptions of HAccRG and of its software form on traces. kernels/detectors/haccrg_rules.h has the
/// rules.
DetectorDescription haccrg();
DetectorDescription srg();

}  // namespace ambit::detector
