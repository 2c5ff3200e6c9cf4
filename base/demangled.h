#pragma once

#include <string>

namespace ambit {

/// Returns the C++ name of a mangled name, for example "sum<4>(int*)"; `name` itself if it is not mangled.
std::string demangled(const std::string& name);

}  // namespace ambit
