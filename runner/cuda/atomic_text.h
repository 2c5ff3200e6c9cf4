#pragma once

#include <string>

#include "core/program.h"

namespace ambit::cuda {

/// The C++ condition that a compare-exchange only read. `result`: the old value; `compare`: Rmw::compare.
std::string failed_text(const Rmw& rmw, const std::string& result, const std::string& compare);

/// The C++ condition that a read-modify-write did not change memory, for the operations with which programs wait.
std::string quiet_text(const Rmw& rmw, const std::string& result, const std::string& operand,
                       const std::string& compare);

}  // namespace ambit::cuda
