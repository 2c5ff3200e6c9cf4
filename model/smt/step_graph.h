#pragma once

#include <vector>

#include "model/smt/bounds.h"

namespace ambit::smt {

/// A relation as a small graph to walk on. Pairs that are certainly in the closure of the certain ones (`must`) are
/// walked along few certain edges. The others, which need literals, are the dynamic edges. Only events at a dynamic
/// edge and `strict` ones are nodes.
struct StepGraph {
  struct Pair {
    events::EventId from;
    events::EventId to;
  };
  std::vector<Pair> dynamic;
  /// Certain edges between nodes, transitively reduced. Whether one needs both ends executed: `needs_execution`.
  std::vector<Pair> certain;
  events::EventSet nodes;
  events::Relation reach;  ///< closure of `must`: holds whenever both ends are executed
  /// Conditional events through which a walk along certain edges proves nothing if they are not executed: their certain
  /// edges count only if they are. Passing through any other unexecuted event is harmless, because `reach` relates
  /// everything before it to everything after it.
  events::EventSet strict;
};

/// Makes the graph. `dynamic_pairs` must be disjoint from `reach`. `extra`: additional nodes.
StepGraph make_step_graph(const events::EventGraph& graph, const Bounds& bounds, events::Relation reach,
                          const events::Relation& dynamic_pairs, const events::EventSet& extra);

/// Returns the last stops before `to`: members x of `candidates` that `reach` relates to no other member y in between
/// (no y with x before y before `to`, so that y certainly runs if `to` does).
std::vector<events::EventId> last_before(const StepGraph& steps, const Bounds& bounds, events::EventId to);
/// Returns the first stops after `from`.
std::vector<events::EventId> first_after(const StepGraph& steps, const Bounds& bounds, events::EventId from);

}  // namespace ambit::smt
