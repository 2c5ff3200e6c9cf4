#pragma once

#include <string>

#include "report/results/detection_result.h"
#include "report/text/style.h"

namespace ambit::report {

/// The reports of every detector and a table of them all.
std::string detection_text(const DetectionResult& result, const SourceLine& source_line, const Style& style);

}  // namespace ambit::report
