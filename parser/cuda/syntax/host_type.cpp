#include "parser/cuda/syntax/host_type.h"

#include <map>
#include <string_view>

namespace ambit::parser::cuda {

std::optional<HostType> host_type(const Tokens& words) {
  using enum HostType::Kind;
  static const std::map<std::string_view, HostType> kTypes = {
      {"char", {1, Signed}},       {"bool", {1, Bool}},       {"short", {2, Signed}},      {"int", {4, Signed}},
      {"unsigned", {4, Unsigned}}, {"signed", {4, Signed}},   {"long", {8, Signed}},       {"float", {4, Floating}},
      {"half", {2, Floating}},     {"__half", {2, Floating}}, {"double", {8, Floating}},   {"int8_t", {1, Signed}},
      {"uint8_t", {1, Unsigned}},  {"int16_t", {2, Signed}},  {"uint16_t", {2, Unsigned}}, {"int32_t", {4, Signed}},
      {"uint32_t", {4, Unsigned}}, {"int64_t", {8, Signed}},  {"uint64_t", {8, Unsigned}}, {"size_t", {8, Unsigned}},
      {"uint", {4, Unsigned}},     {"ptrdiff_t", {8, Signed}}};
  std::optional<HostType> type;
  bool is_unsigned = false;
  for (const Token& word : words) {
    if (word.is_any({"const", "volatile", "static", "constexpr", "std", "::"})) continue;
    if (word.is("*") && type) return HostType{8, Pointer};
    const auto found = kTypes.find(word.text);
    if (found == kTypes.end() || !word.is_name()) return std::nullopt;
    // `int`, `signed` and `unsigned` may follow or precede `short` and `long`
    const bool modifier = word.is_any({"int", "unsigned", "signed"});
    is_unsigned |= word.is("unsigned");
    if (!type || !modifier) type = found->second;
  }
  if (type && is_unsigned) type->kind = Unsigned;
  return type;
}

bool is_floating_word(std::string_view word) {
  for (const std::string_view base : {"float", "double", "half", "__half", "__nv_bfloat16", "nv_bfloat16"}) {
    if (!word.starts_with(base)) continue;
    const std::string_view length = word.substr(base.size());
    if (length.empty() || (length.size() == 1 && length[0] >= '1' && length[0] <= '4')) return true;
  }
  return false;
}

}  // namespace ambit::parser::cuda
