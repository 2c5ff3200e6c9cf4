#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include "parser/cuda/token.h"

namespace ambit::parser::cuda {

/// What a name stands for in a constant expression; nothing when it is no constant.
using NameValue = std::function<std::optional<std::int64_t>(const Token& name)>;

/// Value of an integer expression of literals, names and operators, computed in 64 bits as in #if [cpp.cond]. Nothing
/// when it is none; `wrong` then points at the token that is to blame.
std::optional<std::int64_t> evaluate(const Tokens& tokens, const NameValue& value_of, const Token** wrong = nullptr);

/// The same, computed in the types of C++ [expr.arith.conv]: 1u - 2 is 4294967295. The types of names are not known:
/// nothing where they matter. Nothing either where a signed result overflows.
std::optional<std::int64_t> evaluate_typed(const Tokens& tokens, const NameValue& value_of);

/// An integer or character literal; nothing when the token is neither.
std::optional<std::int64_t> literal_value(const Token& token);

}  // namespace ambit::parser::cuda
