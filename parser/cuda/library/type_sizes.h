#pragma once

#include "parser/cuda/syntax/token.h"

namespace ambit::parser::cuda {

/// Replaces `sizeof(T)` and `alignof(T)` by numbers if T is a number type or a vector type.
Tokens with_type_properties(const Tokens& tokens);

}  // namespace ambit::parser::cuda
