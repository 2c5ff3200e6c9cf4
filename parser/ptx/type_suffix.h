#pragma once

#include <cstdint>
#include <optional>

#include "base/source.h"
#include "parser/text/syntax_tree.h"

namespace ambit::parser::ptx {

/// A type suffix of an instruction. .b32 does not specify whether the type is signed.
struct TypeSuffix {
  enum class Sign : std::uint8_t { Bits, Signed, Unsigned } sign = Sign::Bits;
  std::uint8_t bits = 32;
  SourceSpan span;
};
/// Reads "b32", "u64" and so on. Returns nothing for a word that is not a type.
std::optional<TypeSuffix> read_type_suffix(const Word& word);

}  // namespace ambit::parser::ptx
