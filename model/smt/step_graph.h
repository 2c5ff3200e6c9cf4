#pragma once

#include <vector>

#include "model/smt/bounds.h"

namespace ambit::smt {

/// A relation as a graph to walk on, made small: pairs that are in the closure of the certain ones (`must`) in any case
/// are walked along few certain edges; the others, whose literals have to be asked, are the dynamic edges. Only events
/// at a dynamic edge and `strict` ones are nodes.
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
  /// Conditional events through which a walk along certain edges proves nothing when they are not executed: their
  /// certain edges count only if they are. Passing through any other unexecuted event is harmless, because `reach`
  /// relates whatever is before it to whatever is after it.
  events::EventSet strict;
};

/// `dynamic_pairs` must be disjoint from `reach`. `extra` are more nodes.
StepGraph make_step_graph(const events::EventGraph& graph, const Bounds& bounds, events::Relation reach,
                          const events::Relation& dynamic_pairs, const events::EventSet& extra);

/// Members x of `candidates` that `reach` relates to no other member y in between: no y with x before y before `to`
/// (so that y certainly runs when `to` does). The last stops before `to`.
std::vector<events::EventId> last_before(const StepGraph& steps, const Bounds& bounds, events::EventId to);
/// The first stops after `from`.
std::vector<events::EventId> first_after(const StepGraph& steps, const Bounds& bounds, events::EventId from);

}  // namespace ambit::smt
