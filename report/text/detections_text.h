#pragma once

#include <string>

#include "report/results/detections.h"
#include "report/text/style.h"

namespace ambit::report {

/// "b0t0 writes x (mp.litmus:8), b1t0 reads x (mp.litmus:12): missing fence, in 3 runs".
std::string sentence(const Detections::Race& race, const Style& style);
/// All of it, a line a race.
std::string detections_text(const Detections& found, const Style& style);

}  // namespace ambit::report
