#pragma once

#include <functional>
#include <string>

#include "core/program.h"

namespace ambit {

/// Returns a cell's name as a condition writes it: "x", "b0:s[1]".
using LocationName = std::function<std::string(LocationId)>;

/// Returns the line `expect MODEL : ...` of an expectation, without a newline; empty if the expectation is empty.
std::string expectation_text(const Expectation& expectation, const LocationName& location_name);
/// Returns the line `expect MODEL under SCHEDULER : ...`, without a newline.
std::string expectation_text(const TerminationExpectation& expectation);
/// Returns the line `label SUITE : ...`, without a newline.
std::string label_text(const SuiteLabel& label);
/// Returns the line `detect DETECTOR : ...`, without a newline.
std::string detection_text(const DetectExpectation& detection);

}  // namespace ambit
