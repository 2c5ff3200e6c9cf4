#pragma once

#include <string>

namespace ambit::cudart {

/// Returns the readable name of the function in the program or a library that contains an address. Without a symbol,
/// returns the file and the offset. Reports name the places of allocations by this function.
std::string function_at(const void* address);

/// Returns the innermost function on the stack that is neither in this library nor a wrapper in CUDA's headers; empty
/// if unknown.
std::string calling_function();

}  // namespace ambit::cudart
