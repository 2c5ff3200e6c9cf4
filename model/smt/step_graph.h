#pragma once

#include <vector>

#include "model/smt/bounds.h"

namespace ambit::smt {

/// A small graph that represents a relation, for the encoding of paths. A few certain edges represent all pairs in the
/// closure of the certain pairs (`must`). The other pairs need literals: they are the dynamic edges. Only events at a
/// dynamic edge and `strict` events are nodes.
struct StepGraph {
  struct Pair {
    events::EventId from;
    events::EventId to;
  };
  std::vector<Pair> dynamic;
  /// Certain edges between nodes, transitively reduced.
  std::vector<Pair> certain;
  events::EventSet nodes;
  events::Relation reach;  ///< closure of `must`; a pair is valid if both its events are executed
  /// Conditional events whose certain edges are valid only if the event is executed. A path through another conditional
  /// event is always valid, because `reach` relates all events before this event to all events after it.
  events::EventSet strict;
};

/// Returns the graph. `dynamic_pairs` must be disjoint from `reach`. `extra` contains additional nodes.
StepGraph make_step_graph(const events::EventGraph& graph, const Bounds& bounds, events::Relation reach,
                          const events::Relation& dynamic_pairs, const events::EventSet& extra);

/// Returns the last stops before `to`: the nodes x for which no other node y is between x and `to`. Node y is between x
/// and `to` if `reach` relates x to y and y to `to`, and `to` is executed only together with y.
std::vector<events::EventId> last_before(const StepGraph& steps, const Bounds& bounds, events::EventId to);
/// Returns the first stops after `from`.
std::vector<events::EventId> first_after(const StepGraph& steps, const Bounds& bounds, events::EventId from);

}  // namespace ambit::smt
