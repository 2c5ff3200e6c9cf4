#pragma once

#include "detector/detector.h"

namespace ambit::detector {

/// Options of ldetector, which runner/sim/ldetector.h runs.
struct LDetectorOptions {
  bool speculative = false;
};
/// Reads options that check_options() accepted.
LDetectorOptions read_ldetector_options(const GivenOptions& given);

DetectorDescription ldetector();

}  // namespace ambit::detector
