#pragma once

#include "detector/detector.h"

namespace ambit::detector {

/// User options of ldetector. runner/sim/ldetector.h runs it.
struct LDetectorOptions {
  bool speculative = false;
};
/// Reads options that check_options() accepted.
LDetectorOptions read_ldetector_options(const GivenOptions& given);

DetectorDescription ldetector();

}  // namespace ambit::detector
