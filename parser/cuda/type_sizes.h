#pragma once

#include <optional>

#include "parser/cuda/library_names.h"
#include "parser/cuda/token.h"

namespace ambit::parser::cuda {

/// `sizeof(T)` or `alignof(T)` at `at` as a number, for a number type or vector type T; nothing for others.
std::optional<Rewritten> type_property(const Tokens& tokens, std::size_t at);

/// The tokens with all such expressions as numbers.
Tokens with_type_properties(const Tokens& tokens);

}  // namespace ambit::parser::cuda
