// Ends each thread at a barrier where it waits forever, so that the later events of its code are not executed.

#include <map>

#include "model/events/draft.h"

namespace ambit::events {
namespace {

/// For each thread, combines the conditions under which the thread waits forever (Stay).
class Ends {
 public:
  Ends(Draft& draft, std::span<const Stay> stays) : draft_(draft), by_thread_(draft.program().threads.size()) {
    for (const Stay& stay : stays) {
      std::vector<Stay>& known = by_thread_[draft.graph.events[stay.event].thread];
      const NodeId before = known.empty() ? ValueGraph::kFalse : known.back().stays;
      known.push_back({stay.event, draft.graph.values.disjunction(before, stay.stays)});
    }
  }

  /// Returns the condition under which the thread waits forever before its events numbered `position` and higher.
  NodeId ended_before(std::uint32_t thread, EventId position) const {
    NodeId result = ValueGraph::kFalse;
    for (const Stay& stay : by_thread_[thread]) {
      if (stay.event < position) result = stay.stays;
    }
    return result;
  }

  /// Returns the conjunction of `condition` and the condition under which the thread reaches `position`.
  NodeId if_reached(NodeId condition, std::uint32_t thread, EventId position) {
    ValueGraph& values = draft_.graph.values;
    return values.conjunction(condition, values.negation(ended_before(thread, position)));
  }

 private:
  Draft& draft_;
  std::vector<std::vector<Stay>> by_thread_;
};

void show_registers_at_stays(Draft& draft, std::span<const Stay> stays) {
  std::map<EventId, NodeId> at;
  for (const Stay& stay : stays) at.emplace(stay.event, stay.stays);
  for (const RegisterSnapshot& snapshot : draft.snapshots) {
    const auto stay = at.find(snapshot.event);
    if (stay == at.end()) continue;
    for (const auto& [observable, value] : snapshot.values) {
      NodeId& shown = draft.graph.observables[observable];
      shown = draft.graph.values.select(stay->second, value, shown, draft.program().observables[observable].type);
    }
  }
}

/// Finds a read whose guard depends on the read's own value.
class CircleSearch {
 public:
  CircleSearch(const EventGraph& graph, Context& context)
      : graph_(graph), context_(context), colors_(graph.size(), Color::New) {}

  std::optional<EventId> find() {
    for (EventId e = 0; e < graph_.size(); ++e) {
      if (!is_acyclic_from(e)) return e;
    }
    return std::nullopt;
  }

 private:
  enum class Color : std::uint8_t { New, Open, Done };

  bool is_acyclic_from(EventId e) {
    if (!graph_.events[e].is_read() || colors_[e] == Color::Done) return true;
    if (colors_[e] == Color::Open) return false;
    colors_[e] = Color::Open;
    context_.poll(graph_.values.size() / 50);
    EventSet needed(graph_.size());
    graph_.values.collect_reads(graph_.events[e].guard, needed);
    graph_.values.collect_reads(graph_.events[e].address, needed);
    bool is_acyclic = true;
    needed.for_each([&](EventId other) { is_acyclic = is_acyclic && is_acyclic_from(other); });
    colors_[e] = Color::Done;
    return is_acyclic;
  }

  const EventGraph& graph_;
  Context& context_;
  std::vector<Color> colors_;
};

}  // namespace

std::optional<Diagnostic> find_circle(const Draft& draft) {
  const EventGraph& graph = draft.graph;
  if (graph.values.is_constant(graph.stuck)) return std::nullopt;
  const std::optional<EventId> found = CircleSearch(graph, draft.context).find();
  if (!found) return std::nullopt;
  return Diagnostic{draft.program().source, graph.events[*found].span,
                    "whether this read takes place depends on its own value, through threads that wait for each other",
                    "let fewer branches decide at which barriers the threads wait"};
}

void end_at_stays(Draft& draft, std::span<const Stay> stays) {
  EventGraph& graph = draft.graph;
  Ends ends(draft, stays);
  for (EventId e = 0; e < graph.size(); ++e) {
    Event& event = graph.events[e];
    if (event.thread != kNoThread) event.guard = ends.if_reached(event.guard, event.thread, e);
  }
  for (std::size_t i = 0; i < draft.control_points.size(); ++i) {
    const ControlPoint& point = draft.control_points[i];
    graph.requirements[i] =
        graph.values.disjunction(graph.requirements[i], ends.ended_before(point.thread, point.first));
  }
  for (std::size_t i = 0; i < draft.incident_positions.size(); ++i) {
    Incident& incident = graph.incidents[i];
    incident.condition = ends.if_reached(incident.condition, incident.thread, draft.incident_positions[i]);
  }
  for (const BoundPoint& point : draft.bound_points) {
    const NodeId reached = ends.if_reached(point.condition, point.thread, point.first);
    if (reached != ValueGraph::kFalse) graph.bounds.push_back({point.thread, reached});
    if (reached != ValueGraph::kFalse && point.endless && !graph.endless) graph.endless = point.endless;
    graph.bound_reached = graph.values.disjunction(graph.bound_reached, reached);
  }
  show_registers_at_stays(draft, stays);
}

}  // namespace ambit::events
