#pragma once

#include <nlohmann/json.hpp>
#include <optional>

#include "report/results/judged.h"

namespace ambit::report {

/// Returns a place as a JSON object. Members without a value are null.
nlohmann::ordered_json place_json(const JudgedPlace& place);
/// Returns the value of the field `sure` for a judgement.
nlohmann::ordered_json coverage_json(const std::optional<Coverage>& coverage);

}  // namespace ambit::report
