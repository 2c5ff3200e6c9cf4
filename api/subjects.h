#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/detectors.h"
#include "core/source.h"
#include "study/subject.h"

namespace ambit::api {

/// What the name of a detector begins with where models can be named as well.
inline constexpr std::string_view kDetectorPrefix = "detector:";

/// The detector of traces that a name without the prefix means: "gwcp", "gwcp(overlap=either)", "exec:./mine.py".
/// Errors: an unknown one; several; one of the user's without `external`.
Result<ChosenDetector> detector_named(const std::string& text, const std::optional<ExternalRules>& external);

/// Models ("ptx", "hrf-relaxed(incl=nest)", a .cat file) and detectors of traces ("detector:gwcp",
/// "detector:gwcp(overlap=either)", with `external` "detector:exec:./mine.py"). Errors: unknown ones.
Result<std::vector<study::Subject>> subjects_of(const std::vector<std::string>& names,
                                                const std::optional<ExternalRules>& external = {});

/// The shipped models and the detectors that look at traces.
std::vector<std::string> all_subjects();

}  // namespace ambit::api
