#pragma once

#include "model/events/draft.h"

namespace ambit::events {

/// Adds `e` to a set under `condition`. Omits the part of the condition that the guard of `e` implies.
inline void add_member(EventGraph& graph, BaseSet id, EventId e, NodeId condition) {
  ConditionalSet& set = graph.sets[static_cast<std::size_t>(id)];
  const NodeId needed = graph.values.given(condition, graph.events[e].guard);
  if (needed == ValueGraph::kTrue) {
    set.always.insert(e);
  } else if (needed != ValueGraph::kFalse) {
    set.sometimes.push_back({e, needed});
  }
}

/// Adds (from, to) to a relation under `condition`. Omits the part of the condition that the guards imply.
inline void add_pair(EventGraph& graph, BaseRelation id, EventId from, EventId to, NodeId condition) {
  ConditionalRelation& relation = graph.relations[static_cast<std::size_t>(id)];
  NodeId needed = condition;
  if (condition != ValueGraph::kTrue) {
    const NodeId executed = graph.values.conjunction(graph.events[from].guard, graph.events[to].guard);
    needed = graph.values.given(condition, executed);
  }
  if (needed == ValueGraph::kTrue) {
    relation.always.insert(from, to);
  } else if (needed != ValueGraph::kFalse) {
    relation.sometimes.push_back({from, to, needed});
  }
}

}  // namespace ambit::events
