#pragma once

#include <string>
#include <string_view>

#include "report/results/validation.h"

namespace ambit::report {

/// One JSON document (docs/validate.md).
std::string validation_json(const Validation& validation, std::string_view version);

}  // namespace ambit::report
