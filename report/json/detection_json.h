#pragma once

#include <span>
#include <string>
#include <string_view>

#include "report/results/detection_result.h"

namespace ambit::report {

/// Detection results of several inputs as one JSON document (docs/cli.md).
std::string detection_json(std::span<const DetectionResult> results, const SourceLine& source_line,
                           std::string_view version);

}  // namespace ambit::report
