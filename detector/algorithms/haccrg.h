#pragma once

#include "detector/detector.h"

namespace ambit::detector {

/// Return the descriptions of the HAccRG detector for traces and of its software form. kernels/detectors/haccrg_rules.h
/// has the rules.
DetectorDescription haccrg();
DetectorDescription srg();

}  // namespace ambit::detector
