#include "parser/cuda/library/type_sizes.h"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <string_view>

#include "parser/cuda/library/library_names.h"
#include "parser/text/vector_types.h"

namespace ambit::parser::cuda {
namespace {

/// Returns the size in bytes of a number type on CUDA's 64-bit platforms. The alignment equals the size.
std::optional<std::uint64_t> bytes_of(const Tokens& type) {
  static const std::map<std::string_view, std::uint64_t> kBytes = {
      {"bool", 1},     {"char", 1},    {"short", 2},    {"int", 4},          {"unsigned", 4}, {"signed", 4},
      {"long", 8},     {"float", 4},   {"double", 8},   {"int8_t", 1},       {"uint8_t", 1},  {"int16_t", 2},
      {"uint16_t", 2}, {"int32_t", 4}, {"uint32_t", 4}, {"int64_t", 8},      {"uint64_t", 8}, {"size_t", 8},
      {"half", 2},     {"__half", 2},  {"uint", 4},     {"__nv_bfloat16", 2}};
  std::optional<std::uint64_t> bytes;
  for (const Token& token : type) {
    if (token.is("const") || token.is("volatile")) continue;
    const auto found = kBytes.find(token.text);
    if (found == kBytes.end()) return std::nullopt;
    const bool is_sign = token.is("unsigned") || token.is("signed");
    const bool is_refined = bytes && (is_sign || token.is("int"));  // long int, char unsigned and similar types
    if (!is_refined) bytes = found->second;
  }
  return bytes;
}

/// Evaluates `sizeof(T)` or `alignof(T)` at `at` if T is a number type or a vector type. Returns nothing if T is a
/// different type, or if no sizeof or alignof is at `at`.
std::optional<Rewritten> type_property(const Tokens& tokens, std::size_t at) {
  const bool is_alignment = tokens[at].is("alignof");
  if ((!is_alignment && !tokens[at].is("sizeof")) || at + 2 >= tokens.size() || !tokens[at + 1].is("(")) {
    return std::nullopt;
  }
  const std::size_t past = skip_group(tokens, at + 1);
  const Tokens type = slice(tokens, at + 2, past - 1);
  std::optional<std::uint64_t> bytes = bytes_of(type);
  if (!bytes && type.size() == 1) {
    if (const std::optional<VectorType> vector = vector_type(type.front().text)) {
      bytes = is_alignment ? vector->alignment : vector->element.scalar.bits / 8U * vector->length;
    }
  }
  if (!bytes) return std::nullopt;
  Token number = tokens[at];
  number.kind = TokenKind::Number;
  number.text = fmt::format("{}ull", *bytes);
  return Rewritten{{number}, past};
}

}  // namespace

Tokens with_type_properties(const Tokens& tokens) {
  Tokens result;
  for (std::size_t i = 0; i < tokens.size();) {
    if (const auto property = type_property(tokens, i)) {
      result.insert(result.end(), property->tokens.begin(), property->tokens.end());
      i = property->past;
    } else {
      result.push_back(tokens[i++]);
    }
  }
  return result;
}

}  // namespace ambit::parser::cuda
