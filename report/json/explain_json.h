#pragma once

#include <string>
#include <string_view>

#include "model/explain/outcome_causes.h"
#include "model/explain/race_causes.h"

namespace ambit::report {

/// Both explanations as JSON documents (docs/cli.md).
std::string outcome_explanation_json(const explain::OutcomeExplanation& explanation, std::string_view question,
                                     std::string_view version);
std::string race_explanation_json(const explain::RaceExplanation& explanation, std::string_view version);

}  // namespace ambit::report
