#pragma once

#include <string>

#include "core/program.h"

namespace ambit::cuda {

/// Returns the C++ condition that a compare-exchange stored nothing. `result` is the old value, `compare` is
/// Rmw::compare.
std::string failed_text(const Rmw& rmw, const std::string& result, const std::string& compare);

/// Returns the C++ condition that a read-modify-write did not change memory. Supports the operations that programs use
/// to wait.
std::string quiet_text(const Rmw& rmw, const std::string& result, const std::string& operand,
                       const std::string& compare);

}  // namespace ambit::cuda
