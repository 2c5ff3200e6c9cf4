#include "model/verdict/races.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <tuple>

#include "model/rules/shipped.h"
#include "model/verdict/opaque.h"

namespace ambit::verdict {
namespace {

/// The place of an event in the source. The two halves of a read-modify-write have one place, and all iterations of a
/// loop have one place.
using Place = std::tuple<std::uint32_t, std::uint32_t>;

Place place_of(const events::Event& event) { return {event.thread, event.instruction}; }

std::optional<LocationId> location_of(const events::EventGraph& graph, const events::FlaggedPair& pair) {
  const bool accesses = graph.events[pair.first].is_access() && graph.events[pair.second].is_access();
  if (!accesses) return std::nullopt;
  return pair.witness->locations[pair.first];
}

std::vector<Race> collect(const Verdict& verdict, bool want_races) {
  const events::EventGraph& graph = *verdict.graph;
  std::vector<Race> found;
  std::set<std::tuple<std::size_t, Place, Place, std::optional<LocationId>>> seen;
  for (std::size_t i = 0; i < verdict.answers.flags.size(); ++i) {
    const rules::Flag& flag = verdict.rules->flags[i];
    if (flag.is_race() != want_races) continue;
    for (const events::FlaggedPair& pair : verdict.answers.flags[i].pairs) {
      const Race race{flag.name, &pair, location_of(graph, pair)};
      Place first = place_of(graph.events[pair.first]);
      Place second = place_of(graph.events[pair.second]);
      if (second < first) std::swap(first, second);
      if (seen.emplace(i, first, second, race.location).second) found.push_back(race);
    }
  }
  return found;
}

}  // namespace

std::vector<Race> races(const Verdict& verdict) { return collect(verdict, true); }
std::vector<Race> other_flags(const Verdict& verdict) { return collect(verdict, false); }

std::vector<std::string> race_locations(const Verdict& verdict) {
  std::set<LocationId> locations;
  for (const Race& race : races(verdict)) {
    if (race.location) locations.insert(*race.location);
  }
  std::vector<std::string> names;
  for (const LocationId location : locations) names.push_back(verdict.graph->program->locations[location].name);
  return names;
}

std::string race_text(const Verdict& verdict) {
  if (verdict.race == events::Possibility::Unknown) return "race ?";
  if (verdict.race == events::Possibility::Impossible) return "norace";
  const std::vector<std::string> locations = race_locations(verdict);
  if (locations.empty()) return "race";
  constexpr std::size_t kMostNamed = 4;
  const std::size_t named = locations.size() <= kMostNamed ? locations.size() : kMostNamed - 1;
  std::string text = fmt::format(
      "race on {}", fmt::join(locations.begin(), locations.begin() + static_cast<std::ptrdiff_t>(named), ", "));
  if (named < locations.size()) text += fmt::format(" and {} more", locations.size() - named);
  if (!opaque_assumption(*verdict.graph->program).empty()) text += " if a branch goes that way";
  return text;
}

RacyPrograms racy_programs(const rules::Rules& rules) {
  if (!speaks_of_races(rules)) return RacyPrograms::Defined;
  // A user's model must not have the name of a shipped model.
  const auto shipped = rules::shipped_models();
  if (std::ranges::find(shipped, rules.name) == shipped.end()) return RacyPrograms::NotKnown;
  return rules::leaves_races_undefined(rules.name) ? RacyPrograms::Undefined : RacyPrograms::Defined;
}

bool speaks_of_races(const rules::Rules& rules) {
  return std::any_of(rules.flags.begin(), rules.flags.end(), [](const rules::Flag& flag) { return flag.is_race(); });
}

}  // namespace ambit::verdict
