#include "parser/text/vector_types.h"

#include <algorithm>
#include <map>

namespace ambit::parser {

std::optional<VectorType> vector_type(std::string_view name) {
  static const std::map<std::string_view, Type> kElements = {{"char", {.scalar = {8, true}}},
                                                             {"uchar", {.scalar = {8, false}}},
                                                             {"short", {.scalar = {16, true}}},
                                                             {"ushort", {.scalar = {16, false}}},
                                                             {"int", {.scalar = kInt}},
                                                             {"uint", {.scalar = kUnsigned}},
                                                             {"long", {.scalar = kLongLong}},
                                                             {"ulong", {.scalar = kUnsignedLongLong}},
                                                             {"longlong", {.scalar = kLongLong}},
                                                             {"ulonglong", {.scalar = kUnsignedLongLong}},
                                                             {"float", {.is_opaque = true}},
                                                             {"double", {.scalar = kLongLong, .is_opaque = true}},
                                                             {"__half", {.scalar = {16, true}, .is_opaque = true}}};
  constexpr std::size_t kShortest = 4;  // the length of int2; most variable names, such as r1, are shorter
  if (name.size() < kShortest || name.back() < '1' || name.back() > '4') return std::nullopt;
  const auto element = kElements.find(name.substr(0, name.size() - 1));
  const auto length = static_cast<std::size_t>(name.back() - '0');
  if (element == kElements.end() || (element->first == "__half" && length != 2)) return std::nullopt;
  const std::uint64_t bytes = element->second.scalar.bits / 8U;
  return VectorType{element->second, length, length == 3 ? bytes : std::min<std::uint64_t>(16, bytes * length)};
}

}  // namespace ambit::parser
