#include "ptx/modifier.h"

#include <unordered_map>

namespace ambit::ptx {

std::optional<Modifier> modifier_from_string(std::string_view name) {
  static const std::unordered_map<std::string_view, Modifier> kByName = [] {
    std::unordered_map<std::string_view, Modifier> result;
    for (std::size_t i = 0; i < kModifierNames.size(); ++i) result.emplace(kModifierNames[i], static_cast<Modifier>(i));
    return result;
  }();
  const auto found = kByName.find(name);
  return found == kByName.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace ambit::ptx
