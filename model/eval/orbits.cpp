#include "model/eval/orbits.h"

#include <algorithm>
#include <set>

namespace ambit::eval {

using events::EventId;
using events::Execution;

Orbits::Orbits(const events::EventGraph& graph, const events::Symmetry& symmetry) {
  for (const events::Symmetry::Class& units : symmetry.classes()) {
    Class& made = classes_.emplace_back();
    made.units = units;
    made.place.assign(graph.size(), {kNowhere, 0});
    for (std::uint32_t u = 0; u < units.size(); ++u) {
      for (std::uint32_t i = 0; i < units[u].events.size(); ++i) made.place[units[u].events[i]] = {u, i};
      for (std::uint32_t other = 0; other < u; ++other) exchanges_.push_back({classes_.size() - 1, other, u});
    }
  }
}

EventId Orbits::image(const Exchange& exchange, EventId e) const {
  if (e == events::kNoEvent) return e;
  const Class& of = classes_[exchange.of];
  const auto [unit, position] = of.place[e];
  if (unit == exchange.a) return of.units[exchange.b].events[position];
  if (unit == exchange.b) return of.units[exchange.a].events[position];
  return e;
}

Execution Orbits::image(const Exchange& exchange, const Execution& from) const {
  Execution result = from;
  const std::size_t size = from.values.size();
  const auto mapped = [&](EventId e) { return image(exchange, e); };
  // The initial write of location l is event l.
  const auto mapped_location = [&](LocationId l) { return static_cast<LocationId>(mapped(static_cast<EventId>(l))); };
  result.executed = events::EventSet(size);
  from.executed.for_each([&](EventId e) { result.executed.insert(mapped(e)); });
  for (EventId e = 0; e < size; ++e) {
    result.values[mapped(e)] = from.values[e];
    result.locations[mapped(e)] = from.executed.contains(e) ? mapped_location(from.locations[e]) : from.locations[e];
    result.reads_from[mapped(e)] = mapped(from.reads_from[e]);
  }
  for (LocationId l = 0; l < from.coherence.size(); ++l) {
    std::vector<EventId>& order = result.coherence[mapped_location(l)];
    order = from.coherence[l];
    std::ranges::transform(order, order.begin(), mapped);
  }
  for (std::vector<EventId>& order : result.orders) std::ranges::transform(order, order.begin(), mapped);
  return result;
}

std::vector<Orbits::Pair> Orbits::of(Pair pair, std::span<const Exchange> exchanges) const {
  std::vector<Pair> found = {pair};
  std::set<Pair> known = {pair};
  for (std::size_t next = 0; next < found.size(); ++next) {
    for (const Exchange& exchange : exchanges) {
      const Pair other = image(exchange, found[next]);
      if (known.insert(other).second) found.push_back(other);
    }
  }
  return found;
}

void Orbits::for_each_image(Pair pair, const Execution& execution,
                            const std::function<void(Pair, const Execution&)>& visit) const {
  std::vector<std::pair<Pair, Execution>> open = {{pair, execution}};
  std::set<Pair> known = {pair};
  while (!open.empty()) {
    const auto [from, witness] = std::move(open.back());
    open.pop_back();
    for (const Exchange& exchange : exchanges_) {
      const Pair other = image(exchange, from);
      if (!known.insert(other).second) continue;
      Execution moved = image(exchange, witness);
      visit(other, moved);
      open.emplace_back(other, std::move(moved));
    }
  }
}

}  // namespace ambit::eval
