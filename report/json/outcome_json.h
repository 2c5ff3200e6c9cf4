#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "core/program.h"

namespace ambit::report {

/// Returns a value of the type `type` as a JSON number.
nlohmann::ordered_json number_json(Value value, ScalarType type);

/// Returns a JSON object that maps the name of each observable to its value in an outcome.
nlohmann::ordered_json outcome_json(const Program& program, const std::vector<Value>& outcome);

}  // namespace ambit::report
