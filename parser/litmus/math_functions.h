#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "parser/text/syntax_tree.h"

namespace ambit::parser::litmus {

/// A function of CUDA's mathematical library: it accesses no memory, and Ambit does not follow its result.
struct MathFunction {
  std::size_t arguments = 1;
  Type result = {};             ///< the result is at least of this type
  bool is_overloaded = false;   ///< the result is of the widest floating-point type of the arguments
  bool takes_integers = false;  ///< abs: the result for an integer is an integer
};

/// Returns the mathematical function of this name (CUDA Math API: single and double precision, half, casts, integers,
/// also in std:: and cuda::std::, and the clocks); nothing for other names.
std::optional<MathFunction> math_function(std::string_view name);

/// Returns whether a test has opaque values: floating-point types or literals, or calls of functions with opaque
/// results.
bool makes_opaque_values(const FileNode& file);

}  // namespace ambit::parser::litmus
