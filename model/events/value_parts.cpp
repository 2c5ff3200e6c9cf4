#include "model/events/value_parts.h"

namespace ambit::events {

std::size_t arity(Op op) {
  switch (op) {
    case Op::Const:
    case Op::Register: return 0;
    case Op::Negate:
    case Op::BitNot:
    case Op::LogicalNot:
    case Op::Cast: return 1;
    case Op::Select: return 3;
    default: return 2;
  }
}

void collect_parts(const ValueGraph& values, NodeId node, Op op, std::vector<NodeId>& parts) {
  if (values[node].op != op) {
    parts.push_back(node);
    return;
  }
  collect_parts(values, values[node].arguments[0], op, parts);
  collect_parts(values, values[node].arguments[1], op, parts);
}

}  // namespace ambit::events
