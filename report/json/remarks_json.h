#pragma once

#include <nlohmann/json.hpp>

#include "base/source.h"

namespace ambit::report {

/// Returns the remarks of a test's reader (Program::remarks): a list of places and messages.
nlohmann::ordered_json remarks_json(const Diagnostics& remarks);

}  // namespace ambit::report
