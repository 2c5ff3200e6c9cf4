#pragma once

#include <nlohmann/json.hpp>

#include "base/source.h"

namespace ambit::report {

/// Returns the remarks from reading a test (Program::remarks) as a list of places and messages.
nlohmann::ordered_json remarks_json(const Diagnostics& remarks);

}  // namespace ambit::report
