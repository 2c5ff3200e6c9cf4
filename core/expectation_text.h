#pragma once

#include <functional>
#include <string>

#include "core/program.h"

namespace ambit {

/// Names a cell as a condition does: "x", "b0:s[1]".
using LocationName = std::function<std::string(LocationId)>;

/// The line `expect MODEL : ...` of an expectation, without its end. Empty: it expects nothing.
std::string expectation_text(const Expectation& expectation, const LocationName& location_name);
/// The line `expect MODEL under SCHEDULER : ...`, without its end.
std::string expectation_text(const TerminationExpectation& expectation);
/// The line `label SUITE : ...`, without its end.
std::string label_text(const SuiteLabel& label);
/// The line `detect DETECTOR : ...`, without its end.
std::string detection_text(const DetectExpectation& detection);

}  // namespace ambit
