#pragma once

#include <string>

namespace ambit::cudart {

/// The function of the program, or of a library, in which an address stands, readable; with the file and the offset
/// where its symbols do not say. For the places of allocations in reports.
std::string function_at(const void* address);

/// The innermost function on the stack that is neither this library's nor a wrapper of CUDA's headers; empty: unknown.
std::string calling_function();

}  // namespace ambit::cudart
