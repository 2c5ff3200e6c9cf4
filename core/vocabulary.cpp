#include "core/vocabulary.h"

namespace ambit {
namespace {

template <typename Enum, std::size_t N>
std::optional<Enum> find(const std::array<VocabularyEntry<Enum>, N>& table, std::string_view name) {
  for (const auto& entry : table) {
    if (entry.name == name) return entry.id;
  }
  return std::nullopt;
}

}  // namespace

std::optional<BaseSet> base_set_from_string(std::string_view name) { return find(kBaseSets, name); }
std::optional<BaseRelation> base_relation_from_string(std::string_view name) { return find(kBaseRelations, name); }
std::string_view to_string(BaseSet set) { return kBaseSets[static_cast<std::size_t>(set)].name; }
std::string_view to_string(BaseRelation relation) { return kBaseRelations[static_cast<std::size_t>(relation)].name; }

}  // namespace ambit
