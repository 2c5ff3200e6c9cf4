#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "parser/text/syntax_tree.h"

namespace ambit::parser {

/// A vector type of CUDA, for example float4: a struct with the fields x, y, z and w.
struct VectorType {
  Type element;
  std::size_t length = 1;       ///< number of fields, 1 to 4
  std::uint64_t alignment = 1;  ///< alignment in bytes (CUDA C++ Programming Guide, "Built-in Vector Types")
};

/// Returns the vector type that has this name; nothing for other names. dim3 is not a vector type here, because only
/// launches use it.
std::optional<VectorType> vector_type(std::string_view name);

}  // namespace ambit::parser
