#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "parser/cuda/syntax/token.h"

namespace ambit::parser::cuda {

/// A scalar or pointer type of C++.
struct HostType {
  enum class Kind : std::uint8_t { Signed, Unsigned, Bool, Floating, Pointer };
  std::int64_t bytes = 4;
  Kind kind = Kind::Signed;
  bool is_signed() const { return kind == Kind::Signed; }
  bool is_bool() const { return kind == Kind::Bool; }
  bool is_integer() const { return kind <= Kind::Bool; }
};

/// Returns the scalar or pointer type of C++ that these words name; nothing for other types.
std::optional<HostType> host_type(const Tokens& words);

/// Returns whether a word names a floating-point type, or a vector type with floating-point elements.
bool is_floating_word(std::string_view word);

}  // namespace ambit::parser::cuda
