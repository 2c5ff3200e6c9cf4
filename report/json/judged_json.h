#pragma once

#include <nlohmann/json.hpp>
#include <optional>

#include "report/results/judged.h"

namespace ambit::report {

/// Returns a place as a JSON object; unknown members are null.
nlohmann::ordered_json place_json(const JudgedPlace& place);
/// Returns the field `sure` of a judgement.
nlohmann::ordered_json coverage_json(const std::optional<Coverage>& coverage);

}  // namespace ambit::report
