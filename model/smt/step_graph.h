#pragma once

#include <vector>

#include "model/smt/bounds.h"

namespace ambit::smt {

/// A relation as a small graph, for the encoding of paths. A few certain edges represent all pairs in the closure of
/// the certain pairs (`must`). The other pairs need literals and are the dynamic edges. Only events at a dynamic edge
/// and `strict` events are nodes.
struct StepGraph {
  struct Pair {
    events::EventId from;
    events::EventId to;
  };
  std::vector<Pair> dynamic;
  /// Certain edges between nodes, transitively reduced.
  std::vector<Pair> certain;
  events::EventSet nodes;
  events::Relation reach;  ///< closure of `must`; contains a pair if both its events are executed
  /// Conditional events whose certain edges are valid only if the events are executed. A path through other conditional
  /// events is always valid, because `reach` relates all events before such an event to all events after it.
  events::EventSet strict;
};

/// Returns the graph. `dynamic_pairs` must be disjoint from `reach`. `extra` has additional nodes.
StepGraph make_step_graph(const events::EventGraph& graph, const Bounds& bounds, events::Relation reach,
                          const events::Relation& dynamic_pairs, const events::EventSet& extra);

/// Returns the last stops before `to`: the candidates x for which no other candidate y is between x and `to`. y is
/// between x and `to` if `reach` relates x to y and y to `to`, and `to` is executed only together with y.
std::vector<events::EventId> last_before(const StepGraph& steps, const Bounds& bounds, events::EventId to);
/// Returns the first stops after `from`.
std::vector<events::EventId> first_after(const StepGraph& steps, const Bounds& bounds, events::EventId from);

}  // namespace ambit::smt
