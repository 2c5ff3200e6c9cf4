#pragma once

#include <vector>

#include "model/events/event_graph.h"

namespace ambit::eval {

/// The maximum number of different values of one read.
inline constexpr std::size_t kMaxValues = 4096;

/// For each access, a superset of the values that the access has in candidate executions.
struct Domains {
  /// The values of each event in increasing order. The list is empty for events that are not accesses.
  std::vector<std::vector<Value>> values;
  bool exploded = false;  ///< some read can return more values than the limit, so `values` is meaningless
};

/// Propagates values from the initial values through writes and reads, and ignores guards. In a candidate execution,
/// values are grounded (acyclic(rf | addr | data | rmw)), so each value passes through each write at most once. So the
/// analysis needs at most one round for each write with a non-constant value, even if values could grow without limit
/// (x = x + 1).
///
/// With `meet_requirements`, considers only executions that meet the graph's requirements. Then the read of a spin loop
/// returns only values that end the loop. Gives up at a read that can return more than `most` values. Polls `context`.
Domains find_domains(const events::EventGraph& graph, bool meet_requirements, Context& context,
                     std::size_t most = kMaxValues);

/// Returns whether two increasing sequences have a common value.
bool intersect(const std::vector<Value>& a, const std::vector<Value>& b);

}  // namespace ambit::eval
