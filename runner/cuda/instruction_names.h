#pragma once

#include <string>

#include "core/program.h"

namespace ambit::cuda {

/// Returns the operation and type of an atomic instruction in PTX: "add.u32".
std::string atomic_operation(const Rmw& rmw);

/// Returns why hardware has no such atomic instruction; empty if it has.
std::string missing_atomic(const Rmw& rmw);

}  // namespace ambit::cuda
