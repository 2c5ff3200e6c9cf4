#pragma once

#include "detector/detector.h"

namespace ambit::detector {

/// Options of the detector ldetector (runner/sim/ldetector.h).
struct LDetectorOptions {
  bool speculative = false;
};
/// Reads options, which check_options() must have accepted.
LDetectorOptions read_ldetector_options(const GivenOptions& given);

DetectorDescription ldetector();

}  // namespace ambit::detector
