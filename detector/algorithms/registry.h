#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.h"
#include "core/trace.h"
#include "detector/detector.h"

namespace ambit::detector {

/// Returns all detectors, in the order in which `--detector all` runs them.
const std::vector<DetectorDescription>& detectors();
/// Returns the detector of that name, or null if no detector has that name.
const DetectorDescription* find_detector(std::string_view name);

/// Checks the name of a detector and its options. Returns the error, if there is one.
std::optional<Diagnostic> check_options(const std::string& name, const GivenOptions& options);

/// Makes a detector by name, with options: "gwcp", {{"overlap", "either"}}. Returns the errors of check_options(), and
/// an error if the detector judges programs instead of traces.
Result<std::unique_ptr<Detector>> make_detector(const std::string& name, const GivenOptions& options,
                                                const TraceTables& tables);

}  // namespace ambit::detector
