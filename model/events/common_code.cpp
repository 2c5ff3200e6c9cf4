#include "model/events/common_code.h"

#include <algorithm>

namespace ambit::events {

CommonCode::CommonCode(const Draft& draft, const std::vector<PhaseArrival>& arrivals) {
  const std::vector<Event>& events = draft.graph.events;
  std::set<Place> before;
  for (const PhaseArrival& arrival : arrivals) {
    const std::uint32_t thread = events[arrival.event].thread;
    for (EventId e = std::max(arrival.since, draft.first_event[thread]); e <= arrival.event; ++e) {
      before.insert(place_of(events[e]));
    }
  }
  for (const PhaseArrival& arrival : arrivals) {
    const std::uint32_t thread = events[arrival.event].thread;
    for (EventId e = arrival.event + 1; e < draft.first_event[thread + 1]; ++e) {
      if (events[e].thread != thread) continue;
      if (const Place place = place_of(events[e]); !before.contains(place)) places_.insert(place);
    }
  }
}

NodeId CommonCode::executed_by(Draft& draft, std::uint32_t thread, EventId since) const {
  NodeId result = ValueGraph::kFalse;
  if (places_.empty()) return result;
  for (EventId e = std::max(since, draft.first_event[thread]); e < draft.first_event[thread + 1]; ++e) {
    const Event& event = draft.graph.events[e];
    if (event.thread != thread || !places_.contains(place_of(event))) continue;
    result = draft.graph.values.disjunction(result, event.guard);
  }
  return result;
}

std::vector<EventId> last_events(Draft& draft, std::uint32_t thread, NodeId condition) {
  std::vector<EventId> last;
  for (EventId e = draft.first_event[thread + 1]; e-- > draft.first_event[thread];) {
    const Event& event = draft.graph.events[e];
    if (event.thread != thread || event.is_async()) continue;
    const NodeId guard = event.guard;
    if (draft.graph.values.conjunction(condition, guard) == ValueGraph::kFalse) continue;
    last.push_back(e);
    if (draft.graph.values.implies(condition, guard)) break;
  }
  return last;
}

}  // namespace ambit::events
