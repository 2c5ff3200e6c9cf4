#include "report/results/race_groups.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

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

}  // namespace

std::vector<RaceGroup> race_groups(const verdict::Verdict& verdict, const std::vector<verdict::Race>& races) {
  const events::EventGraph& graph = *verdict.graph;
  const Program& program = *graph.program;
  std::vector<RaceGroup> groups;
  std::map<std::tuple<std::string, std::optional<ObjectId>, Place, Place>, std::size_t> known;
  for (const verdict::Race& race : races) {
    Place first = place_of(graph, race.pair->first);
    Place second = place_of(graph, race.pair->second);
    if (second < first) std::swap(first, second);
    std::optional<ObjectId> object;
    if (race.location) object = program.locations[*race.location].object;
    const auto [entry, is_new] = known.try_emplace({race.flag, object, first, second}, groups.size());
    if (is_new) groups.emplace_back();
    groups[entry->second].races.push_back(race);
  }
  for (RaceGroup& group : groups) {
    group.cells = cells_of(program, group.races);
    group.thread_pairs = thread_pairs_of(graph, group.races);
  }
  return groups;
}

}  // namespace ambit::report
