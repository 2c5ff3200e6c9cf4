#pragma once

#include <string>

namespace ambit::cudart {

/// Returns the readable name of the program's or a library's function that contains an address; without a symbol, the
/// file and the offset. For the places of allocations in reports.
std::string function_at(const void* address);

/// Returns the innermost function on the stack outside of this library and of wrappers of CUDA's headers; empty:
/// unknown.
std::string calling_function();

}  // namespace ambit::cudart
