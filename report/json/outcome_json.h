#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "core/program.h"

namespace ambit::report {

/// Returns a value of the type `type` as a JSON number.
nlohmann::ordered_json number_json(Value value, ScalarType type);

/// Returns the observed values of an outcome, each under its name.
nlohmann::ordered_json outcome_json(const Program& program, const std::vector<Value>& outcome);

}  // namespace ambit::report
