#include "report/results/race_groups.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "base/plural.h"
#include "report/results/words.h"

namespace ambit::report {
namespace {

using Place = std::pair<std::uint32_t, std::uint32_t>;  ///< line and column

Place place_of(const events::EventGraph& graph, events::EventId event) {
  const SourceSpan& span = graph.events[event].span;
  return {span.line, span.column};
}

std::string cells_of(const Program& program, const std::vector<verdict::Race>& races) {
  std::set<LocationId> locations;
  for (const verdict::Race& race : races) {
    if (race.location) locations.insert(*race.location);
  }
  std::vector<std::string> names;
  for (const LocationId location : locations) names.push_back(program.locations[location].name);
  return first_names(names);
}

std::size_t thread_pairs_of(const events::EventGraph& graph, const std::vector<verdict::Race>& races) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (const verdict::Race& race : races) {
    const std::uint32_t first = graph.events[race.pair->first].thread;
    const std::uint32_t second = graph.events[race.pair->second].thread;
    pairs.emplace(std::min(first, second), std::max(first, second));
  }
  return pairs.size();
}

/// Returns the name of a variable in the source. Each block has its own object for a shared variable: "s" for "b1:s".
std::string_view variable_name(const MemoryObject& object) {
  const std::string_view name = object.name;
  const std::size_t colon = object.space == MemorySpace::Shared ? name.find(':') : name.npos;
  return colon == name.npos ? name : name.substr(colon + 1);
}

/// The properties that all races of a group share: the flag, the variable, and the two places in order.
using GroupKey = std::tuple<std::string, std::optional<std::string_view>, Place, Place>;

GroupKey key_of(const events::EventGraph& graph, const std::string& flag, events::EventId first, events::EventId second,
                std::optional<LocationId> location) {
  Place one = place_of(graph, first);
  Place other = place_of(graph, second);
  if (other < one) std::swap(one, other);
  std::optional<std::string_view> variable;
  if (location) {
    const ObjectId object = graph.program->locations[*location].object;
    variable = variable_name(graph.program->objects[object]);
  }
  return {flag, variable, one, other};
}

void mark_unchecked(const verdict::Verdict& verdict, const std::map<GroupKey, std::size_t>& known,
                    std::vector<RaceGroup>& groups) {
  const events::EventGraph& graph = *verdict.graph;
  for (std::size_t i = 0; i < verdict.answers.flags.size(); ++i) {
    for (const auto& [first, second] : verdict.answers.flags[i].unchecked) {
      // An unchecked pair is always a pair of accesses to one cell.
      const LocationId cell = graph.events[first].locations.front();
      const auto group = known.find(key_of(graph, verdict.rules->flags[i].name, first, second, cell));
      if (group != known.end()) groups[group->second].has_more = true;
    }
  }
}

}  // namespace

std::string thread_pairs_text(const RaceGroup& group) {
  if (group.thread_pairs == 1 && !group.has_more) return "";
  return (group.has_more ? "at least " : "") + plural(group.thread_pairs, "pair of threads", "pairs of threads");
}

std::vector<RaceGroup> race_groups(const verdict::Verdict& verdict, const std::vector<verdict::Race>& races) {
  const events::EventGraph& graph = *verdict.graph;
  std::vector<RaceGroup> groups;
  std::map<GroupKey, std::size_t> known;
  for (const verdict::Race& race : races) {
    const GroupKey key = key_of(graph, race.flag, race.pair->first, race.pair->second, race.location);
    const auto [entry, is_new] = known.try_emplace(key, groups.size());
    if (is_new) groups.emplace_back();
    groups[entry->second].races.push_back(race);
  }
  for (RaceGroup& group : groups) {
    group.cells = cells_of(*graph.program, group.races);
    group.thread_pairs = thread_pairs_of(graph, group.races);
  }
  mark_unchecked(verdict, known, groups);
  return groups;
}

}  // namespace ambit::report
