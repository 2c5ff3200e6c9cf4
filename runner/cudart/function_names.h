#pragma once

#include <string>

namespace ambit::cudart {

/// Returns the readable name of the function that contains an address, in the program or in a library. If the function
/// has no symbol, returns the file and the offset. Reports use this name for the place of an allocation.
std::string function_at(const void* address);

/// Returns the innermost function on the stack that is neither in this library nor a wrapper in CUDA's headers. Returns
/// an empty text if the function is unknown.
std::string calling_function();

}  // namespace ambit::cudart
