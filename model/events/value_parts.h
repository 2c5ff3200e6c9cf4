#pragma once

#include <vector>

#include "model/events/value_graph.h"

namespace ambit::events {

/// Appends the nodes x1, x2 ... with node = x1 op x2 op ..., for op a conjunction or a disjunction, from left to right.
void collect_parts(const ValueGraph& values, NodeId node, Op op, std::vector<NodeId>& parts);

}  // namespace ambit::events
