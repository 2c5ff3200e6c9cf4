#pragma once

#include <string>

#include "core/program.h"

namespace ambit::cuda {

/// Returns the operation and type of an atomic instruction in PTX: "add.u32".
std::string atomic_operation(const Rmw& rmw);

/// Returns why hardware does not have the atomic instruction, or an empty text.
std::string missing_atomic(const Rmw& rmw);

}  // namespace ambit::cuda
