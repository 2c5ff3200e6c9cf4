#pragma once

#include "parser/cuda/token.h"

namespace ambit::parser::cuda {

/// Returns the tokens with numbers in place of `sizeof(T)` and `alignof(T)`, if T is a number type or vector type.
Tokens with_type_properties(const Tokens& tokens);

}  // namespace ambit::parser::cuda
