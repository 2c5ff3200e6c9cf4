#include "parser/cuda/host_type.h"

#include <map>
#include <string_view>

namespace ambit::parser::cuda {

std::optional<HostType> host_type(const Tokens& words) {
  static const std::map<std::string_view, HostType> kTypes = {{"char", {1, true}},
                                                              {"bool", {1, false, true}},
                                                              {"short", {2, true}},
                                                              {"int", {4, true}},
                                                              {"unsigned", {4, false}},
                                                              {"signed", {4, true}},
                                                              {"long", {8, true}},
                                                              {"float", {4, true, false, false}},
                                                              {"double", {8, true, false, false}},
                                                              {"int8_t", {1, true}},
                                                              {"uint8_t", {1, false}},
                                                              {"int16_t", {2, true}},
                                                              {"uint16_t", {2, false}},
                                                              {"int32_t", {4, true}},
                                                              {"uint32_t", {4, false}},
                                                              {"int64_t", {8, true}},
                                                              {"uint64_t", {8, false}},
                                                              {"size_t", {8, false}},
                                                              {"uint", {4, false}},
                                                              {"ptrdiff_t", {8, true}}};
  std::optional<HostType> type;
  bool is_unsigned = false;
  for (const Token& word : words) {
    if (word.is("const") || word.is("volatile") || word.is("static") || word.is("constexpr") || word.is("std") ||
        word.is("::")) {
      continue;
    }
    if (word.is("*") && type) return HostType{8, false, false, false};
    const auto found = kTypes.find(word.text);
    if (found == kTypes.end() || !word.is_name()) return std::nullopt;
    const bool modifier = word.is("int") || word.is("unsigned") || word.is("signed");  // says no more than short, long
    is_unsigned |= word.is("unsigned");
    if (!type || !modifier) type = found->second;
  }
  if (type && is_unsigned) type->is_signed = false;
  return type;
}

}  // namespace ambit::parser::cuda
