#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/detectors.h"
#include "base/source.h"
#include "study/subject.h"

namespace ambit::api {

/// Prefix of detector names in options that also accept model names.
inline constexpr std::string_view kDetectorPrefix = "detector:";

/// Returns the trace detector that `text` names: "gwcp", "gwcp(overlap=either)", "exec:./mine.py". `text` must not have
/// the prefix "detector:". Errors: an unknown detector; several detectors; a user's detector without `external`.
Result<ChosenDetector> detector_named(const std::string& text, const std::optional<ExternalRules>& external);

/// Returns models ("ptx", "hrf-relaxed(incl=nest)", a .cat file) and trace detectors ("detector:gwcp",
/// "detector:gwcp(overlap=either)"; with `external`, "detector:exec:./mine.py"). Errors: unknown models or detectors.
Result<std::vector<study::Subject>> subjects_of(const std::vector<std::string>& names,
                                                const std::optional<ExternalRules>& external = {});

/// Returns the names of the shipped models and of the detectors that process traces.
std::vector<std::string> all_subjects();

}  // namespace ambit::api
