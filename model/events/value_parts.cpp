#include "model/events/value_parts.h"

namespace ambit::events {

void collect_parts(const ValueGraph& values, NodeId node, Op op, std::vector<NodeId>& parts) {
  if (values[node].op != op) {
    parts.push_back(node);
    return;
  }
  collect_parts(values, values[node].arguments[0], op, parts);
  collect_parts(values, values[node].arguments[1], op, parts);
}

}  // namespace ambit::events
