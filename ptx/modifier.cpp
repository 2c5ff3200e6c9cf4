#include "ptx/modifier.h"

#include <unordered_map>

namespace ambit::ptx {
namespace {

constexpr std::array kNames = {
#define AMBIT_PTX_MODIFIER(name, spelling) std::string_view(spelling),
    AMBIT_PTX_MODIFIERS(AMBIT_PTX_MODIFIER)
#undef AMBIT_PTX_MODIFIER
};

}  // namespace

std::string_view to_string(Modifier modifier) { return kNames[static_cast<std::size_t>(modifier)]; }

std::optional<Modifier> modifier_from_string(std::string_view name) {
  static const std::unordered_map<std::string_view, Modifier> kByName = [] {
    std::unordered_map<std::string_view, Modifier> result;
    for (std::size_t i = 0; i < kNames.size(); ++i) result.emplace(kNames[i], static_cast<Modifier>(i));
    return result;
  }();
  const auto found = kByName.find(name);
  return found == kByName.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace ambit::ptx
