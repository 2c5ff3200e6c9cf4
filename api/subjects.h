#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/source.h"
#include "study/subject.h"

namespace ambit::api {

/// What the name of a detector begins with where models can be named as well.
inline constexpr std::string_view kDetectorPrefix = "detector:";

/// Models ("ptx", "hrf-relaxed(incl=nest)", a .cat file) and detectors of traces ("detector:gwcp",
/// "detector:gwcp(overlap=either)"). Errors: unknown ones.
Result<std::vector<study::Subject>> subjects_of(const std::vector<std::string>& names);

/// The shipped models and the detectors that look at traces.
std::vector<std::string> all_subjects();

}  // namespace ambit::api
