#include "parser/ptx/type_suffix.h"

#include <string_view>

namespace ambit::parser::ptx {

std::optional<TypeSuffix> read_type_suffix(const Word& word) {
  const std::string_view text = word.text;
  if (text.size() < 2 || text.size() > 4) return std::nullopt;
  TypeSuffix suffix;
  suffix.span = word.span;
  switch (text.front()) {
    case 'b': suffix.sign = TypeSuffix::Sign::Bits; break;
    case 'u': suffix.sign = TypeSuffix::Sign::Unsigned; break;
    case 's': suffix.sign = TypeSuffix::Sign::Signed; break;
    default: return std::nullopt;
  }
  const std::string_view bits = text.substr(1);
  if (bits == "8") {
    suffix.bits = 8;
  } else if (bits == "16") {
    suffix.bits = 16;
  } else if (bits == "32") {
    suffix.bits = 32;
  } else if (bits == "64") {
    suffix.bits = 64;
  } else if (bits == "128" && suffix.sign == TypeSuffix::Sign::Bits) {
    suffix.bits = 128;
  } else {
    return std::nullopt;
  }
  return suffix;
}

}  // namespace ambit::parser::ptx
