#include "model/smt/flag_groups.h"

#include <map>
#include <optional>
#include <tuple>
#include <utility>

namespace ambit::smt {
namespace {

using Place = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;

/// Returns the event's place in the source, and the cell that it accesses.
std::optional<std::pair<Place, LocationId>> place_of(const events::EventGraph& graph, events::EventId e) {
  if (e == events::kNoEvent) return std::nullopt;
  const events::Event& event = graph.events[e];
  if (event.span.line == 0 || !event.is_access() || event.locations.size() != 1) return std::nullopt;
  const SourceSpan& span = event.span;
  return std::pair(Place(span.line, span.column, span.length), event.locations.front());
}

}  // namespace

FlagGroups::FlagGroups(const events::EventGraph& graph, std::span<const Problem::FlaggedLiteral> pairs) {
  std::map<std::tuple<std::uint32_t, Place, Place, LocationId>, std::size_t> known;
  for (const Problem::FlaggedLiteral& pair : pairs) {
    auto first = place_of(graph, pair.first);
    auto second = place_of(graph, pair.second);
    std::size_t group = shown_.size();
    if (first && second && first->second == second->second) {
      if (second->first < first->first) std::swap(first, second);
      group = known.try_emplace({pair.flag, first->first, second->first, first->second}, group).first->second;
    }
    if (group == shown_.size()) shown_.push_back(false);
    group_of_.push_back(group);
  }
}

}  // namespace ambit::smt
