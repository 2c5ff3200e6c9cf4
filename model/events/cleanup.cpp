// Removes leftovers of spin loops and of simplification: events that are never executed, and unused values.

#include <utility>

#include "model/events/draft_nodes.h"

namespace ambit::events {
namespace {

void compact(Draft& draft, std::span<const EventId> event_map) {
  std::vector<NodeId> roots;
  for_each_node(draft, [&](NodeId& node) { roots.push_back(node); });
  const std::vector<NodeId> renumbered = draft.graph.values.compact(roots, event_map);
  for_each_node(draft, [&](NodeId& node) { node = renumbered[node]; });
}

}  // namespace

void drop_impossible_events(Draft& draft) {
  std::vector<Event>& events = draft.graph.events;
  // The map also renumbers positions between events. The end of the list is also a position, so the map has one element
  // more than the list of events.
  std::vector<EventId> position(events.size() + 1, 0);
  std::vector<EventId> map(events.size(), kNoEvent);
  EventId kept = 0;
  for (EventId e = 0; e < events.size(); ++e) {
    position[e] = kept;
    const bool is_choice = events[e].kind == EventKind::Choice;
    if (is_choice || events[e].guard != ValueGraph::kFalse) map[e] = kept++;
  }
  position[events.size()] = kept;
  if (kept == events.size()) return;
  for (EventId e = 0; e < events.size(); ++e) {
    if (map[e] == kNoEvent) continue;
    if (events[e].rmw_partner != kNoEvent) events[e].rmw_partner = map[events[e].rmw_partner];
    if (events[e].issue != kNoEvent) events[e].issue = map[events[e].issue];
    if (map[e] == e) continue;
    events[map[e]] = std::move(events[e]);
    draft.notes[map[e]] = draft.notes[e];
  }
  events.resize(kept);
  draft.notes.resize(kept);
  for (EventId& first : draft.first_event) first = position[first];
  for (ControlPoint& point : draft.control_points) point.first = position[point.first];
  for (BoundPoint& point : draft.bound_points) point.first = position[point.first];
  for (EventId& incident : draft.incident_positions) incident = position[incident];
  std::erase_if(draft.snapshots, [&](const RegisterSnapshot& snapshot) { return map[snapshot.event] == kNoEvent; });
  for (RegisterSnapshot& snapshot : draft.snapshots) snapshot.event = map[snapshot.event];
  compact(draft, map);
}

void drop_unused_values(Draft& draft) {
  draft.notes.clear();
  draft.control_points.clear();
  draft.bound_points.clear();
  draft.ends.clear();
  draft.snapshots.clear();
  draft.meetings.clear();
  compact(draft, {});
}

}  // namespace ambit::events
