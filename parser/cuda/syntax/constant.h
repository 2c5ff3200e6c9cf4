#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "parser/cuda/syntax/token.h"

namespace ambit::parser::cuda {

/// Returns the value of a name in a constant expression; nothing if the name is not a constant.
using NameValue = std::function<std::optional<std::int64_t>(const Token& name)>;

/// Returns the value of an integer expression of literals, names and operators. Computes with 64-bit integers, as in
/// #if [cpp.cond]. If the expression is not constant, returns nothing, and `wrong` points at the first invalid token.
std::optional<std::int64_t> evaluate(const Tokens& tokens, const NameValue& value_of, const Token** wrong = nullptr);

/// Like evaluate(), but computes with the types of C++ [expr.arith.conv]: 1u - 2 is 4294967295. Also returns nothing if
/// the result depends on the unknown type of a name, or if a signed result overflows.
std::optional<std::int64_t> evaluate_typed(const Tokens& tokens, const NameValue& value_of);

/// Returns the value of an integer or character literal; nothing for other tokens.
std::optional<std::int64_t> literal_value(const Token& token);

}  // namespace ambit::parser::cuda
