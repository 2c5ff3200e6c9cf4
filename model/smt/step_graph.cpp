#include "model/smt/step_graph.h"

namespace ambit::smt {

using events::EventId;
using events::EventSet;
using events::Relation;

namespace {

/// Returns the conditional events v for which `reach` contains u -> v and v -> w, but not u -> w, for some u and w.
EventSet strict_events(const events::EventGraph& graph, const Relation& reach) {
  EventSet result(reach.size());
  reach.for_each([&](EventId u, EventId v) {
    if (graph.events[v].is_unconditional() || result.contains(v)) return;
    for (std::size_t w = 0; w < reach.stride(); ++w) {
      if ((reach.row(v)[w] & ~reach.row(u)[w]) != 0) {
        result.insert(v);
        return;
      }
    }
  });
  return result;
}

/// Returns whether v is strictly between u and w, so that u -> w follows from u -> v and v -> w.
bool is_between(const Relation& reach, const Bounds& bounds, EventId u, EventId v, EventId w) {
  return v != u && v != w && reach.contains(u, v) && reach.contains(v, w) && !reach.contains(v, u) &&
         !reach.contains(w, v) && (bounds.implied().contains(u, v) || bounds.implied().contains(w, v));
}

}  // namespace

StepGraph make_step_graph(const events::EventGraph& graph, const Bounds& bounds, Relation reach,
                          const Relation& dynamic_pairs, const EventSet& extra) {
  StepGraph result;
  result.nodes = extra;
  dynamic_pairs.for_each([&](EventId a, EventId b) {
    result.dynamic.push_back({a, b});
    result.nodes.insert(a);
    result.nodes.insert(b);
  });
  // Strict events are nodes, because even a path of certain edges may depend on their execution.
  result.strict = strict_events(graph, reach);
  result.strict.for_each([&](EventId e) { result.nodes.insert(e); });
  std::vector<EventId> nodes;
  result.nodes.for_each([&](EventId e) { nodes.push_back(e); });
  for (const EventId u : nodes) {
    for (const EventId w : nodes) {
      if (u == w || !reach.contains(u, w)) continue;
      bool direct = true;
      for (const EventId v : nodes) {
        if (is_between(reach, bounds, u, v, w)) {
          direct = false;
          break;
        }
      }
      if (direct) result.certain.push_back({u, w});
    }
  }
  result.reach = std::move(reach);
  return result;
}

std::vector<EventId> last_before(const StepGraph& steps, const Bounds& bounds, EventId to) {
  std::vector<EventId> result;
  steps.nodes.for_each([&](EventId x) {
    if (!steps.reach.contains(x, to)) return;
    bool is_last = true;
    steps.nodes.for_each([&](EventId y) { is_last = is_last && !is_between(steps.reach, bounds, x, y, to); });
    if (is_last) result.push_back(x);
  });
  return result;
}

std::vector<EventId> first_after(const StepGraph& steps, const Bounds& bounds, EventId from) {
  std::vector<EventId> result;
  steps.nodes.for_each([&](EventId x) {
    if (!steps.reach.contains(from, x)) return;
    bool is_first = true;
    steps.nodes.for_each([&](EventId y) { is_first = is_first && !is_between(steps.reach, bounds, from, y, x); });
    if (is_first) result.push_back(x);
  });
  return result;
}

}  // namespace ambit::smt
