#pragma once

#include <string>

#include "core/program.h"

namespace ambit::cuda {

/// Returns a C++ expression that is true if a compare-exchange failed. `result` is the old value, `compare` is
/// Rmw::compare.
std::string failed_text(const Rmw& rmw, const std::string& result, const std::string& compare);

/// Returns a C++ expression that is true if a read-modify-write left memory unchanged. Supports the operations that
/// programs use in wait loops.
std::string quiet_text(const Rmw& rmw, const std::string& result, const std::string& operand,
                       const std::string& compare);

}  // namespace ambit::cuda
