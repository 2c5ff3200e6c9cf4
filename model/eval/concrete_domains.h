#pragma once

#include <vector>

#include "model/events/event_graph.h"

namespace ambit::eval {

/// Most different values that are followed for one read.
inline constexpr std::size_t kMaxValues = 4096;

/// For every access a superset of the values that it has in candidate executions.
struct Domains {
  std::vector<std::vector<Value>> values;  ///< by event, rising; empty for events that are not accesses
  bool exploded = false;                   ///< some read can return more values than asked for; `values` is useless
};

/// Follows values from the initial ones through writes and reads, guards ignored. In a candidate execution values are
/// grounded (acyclic(rf | addr | data | rmw)), so each flows through each write at most once: as many rounds as there
/// are writes whose value is not constant are enough, even where the values would go on growing (x = x + 1).
///
/// With `meet_requirements` only executions that meet the graph's requirements count: a read that a spin loop waits
/// for returns nothing else. Gives up at a read that can return more than `most` values. Polls `context`.
Domains find_domains(const events::EventGraph& graph, bool meet_requirements, Context& context,
                     std::size_t most = kMaxValues);

/// Do two rising sequences have a value in common?
bool intersect(const std::vector<Value>& a, const std::vector<Value>& b);

}  // namespace ambit::eval
