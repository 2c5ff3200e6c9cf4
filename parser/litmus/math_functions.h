#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "parser/text/syntax_tree.h"

namespace ambit::parser::litmus {

/// A function of CUDA's mathematical library. These functions access no memory, and Ambit does not compute their
/// results.
struct MathFunction {
  std::size_t arguments = 1;
  Type result = {};             ///< the smallest type that the result can have
  bool is_overloaded = false;   ///< whether the widest argument determines the result type
  bool takes_integers = false;  ///< whether integer arguments give an integer result, as for abs
};

/// Returns the mathematical function of this name; nothing for other names. Includes the CUDA Math API (single and
/// double precision, half, casts, integers), the mathematical functions of std:: and cuda::std::, and clocks.
std::optional<MathFunction> math_function(std::string_view name);

/// Returns whether a test has opaque values: floating-point types or literals, or calls of functions with opaque
/// results.
bool makes_opaque_values(const FileNode& file);

}  // namespace ambit::parser::litmus
