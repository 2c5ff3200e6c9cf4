#include "model/events/value_graph.h"

#include <algorithm>

#include "base/hash.h"

namespace ambit::events {
namespace {

std::size_t hash_of(const ValueNode& node) {
  std::uint64_t hash = static_cast<std::uint64_t>(node.op) | (static_cast<std::uint64_t>(node.type.bits) << 8U) |
                       (static_cast<std::uint64_t>(node.type.is_signed) << 16U);
  for (const std::uint64_t word :
       {static_cast<std::uint64_t>(node.constant), std::uint64_t{node.read},
        node.arguments[0] | (std::uint64_t{node.arguments[1]} << 32U), std::uint64_t{node.arguments[2]}}) {
    hash = combine_hash(hash, word);
  }
  return hash;
}

bool is_commutative(Op op) {
  switch (op) {
    case Op::Add:
    case Op::Multiply:
    case Op::BitAnd:
    case Op::BitOr:
    case Op::BitXor:
    case Op::Min:
    case Op::Max: return true;
    default: return false;
  }
}

/// Returns whether x op c == x for all x.
bool is_right_identity(Op op, Value c) {
  switch (op) {
    case Op::Add:
    case Op::Subtract:
    case Op::BitOr:
    case Op::BitXor:
    case Op::ShiftLeft:
    case Op::ShiftRight: return c == 0;
    case Op::Multiply:
    case Op::Divide: return c == 1;
    default: return false;
  }
}

}  // namespace

ValueGraph::ValueGraph() {
  nodes_.reserve(128);
  index_.assign(256, 0);
  // Node 0 is the constant 0. The index cannot contain node 0, so constant() returns node 0 directly.
  nodes_.push_back(ValueNode{});
  boolean_.push_back(true);
  ValueNode one;
  one.constant = 1;
  intern(one);
}

void ValueGraph::grow_index() {
  index_.assign(index_.size() * 2, 0);
  const std::size_t mask = index_.size() - 1;
  for (NodeId id = 1; id < nodes_.size(); ++id) {
    std::size_t slot = hash_of(nodes_[id]) & mask;
    while (index_[slot] != 0) slot = (slot + 1) & mask;
    index_[slot] = id;
  }
}

NodeId ValueGraph::intern(const ValueNode& node) {
  if (context_ != nullptr) context_->poll();
  const std::size_t mask = index_.size() - 1;
  std::size_t slot = hash_of(node) & mask;
  for (; index_[slot] != 0; slot = (slot + 1) & mask) {
    if (nodes_[index_[slot]] == node) return index_[slot];
  }
  if (nodes_.size() >= most_nodes_) throw Stopped{UnknownReason::Values};
  const auto id = static_cast<NodeId>(nodes_.size());
  index_[slot] = id;
  nodes_.push_back(node);
  bool boolean = is_boolean(node.op);
  if (node.op == Op::Const) boolean = node.type == kInt && node.constant == 1;
  if (node.op == Op::Select) {
    boolean = node.type == kInt && boolean_[node.arguments[1]] && boolean_[node.arguments[2]];
  }
  boolean_.push_back(boolean);
  if (nodes_.size() * 2 > index_.size()) grow_index();
  return id;
}

NodeId ValueGraph::add(Op op, ScalarType type, NodeId a, NodeId b, NodeId c) {
  ValueNode node{.op = op, .type = type, .arguments = {a, b, c}};
  return intern(node);
}

NodeId ValueGraph::constant(Value value, ScalarType type) {
  ValueNode node;
  node.type = type;
  node.constant = type.wrap(value);
  if (node.constant == 0 && type == kInt) return kFalse;
  return intern(node);
}

NodeId ValueGraph::read(EventId event, ScalarType type) {
  ValueNode node{.op = Op::Register, .type = type, .read = event};
  return intern(node);
}

NodeId ValueGraph::make(Op op, ScalarType operand_type, std::span<const NodeId> arguments) {
  AMBIT_ASSERT(!arguments.empty() && arguments.size() <= 3);
  switch (op) {
    case Op::Cast: return cast(arguments[0], operand_type);
    case Op::LogicalNot: return negation(arguments[0]);
    case Op::LogicalAnd: return conjunction(arguments[0], arguments[1]);
    case Op::LogicalOr: return disjunction(arguments[0], arguments[1]);
    case Op::Equal: return equal(arguments[0], arguments[1], operand_type);
    case Op::NotEqual: return negation(equal(arguments[0], arguments[1], operand_type));
    case Op::Less: return less(arguments[0], arguments[1], operand_type);
    case Op::Greater: return less(arguments[1], arguments[0], operand_type);
    case Op::LessEqual: return negation(less(arguments[1], arguments[0], operand_type));
    case Op::GreaterEqual: return negation(less(arguments[0], arguments[1], operand_type));
    case Op::Select: return select(arguments[0], arguments[1], arguments[2], operand_type);
    case Op::Negate:
    case Op::BitNot: {
      const NodeId a = cast(arguments[0], operand_type);
      if (!is_constant(a)) return add(op, operand_type, a);
      return constant(apply(op, operand_type, std::array{nodes_[a].constant}), operand_type);
    }
    default: break;
  }
  AMBIT_ASSERT(arguments.size() == 2);
  return arithmetic(op, operand_type, cast(arguments[0], operand_type), cast(arguments[1], operand_type));
}

NodeId ValueGraph::arithmetic(Op op, ScalarType type, NodeId a, NodeId b) {
  if (is_constant(a) && is_constant(b)) {
    return constant(apply(op, type, std::array{nodes_[a].constant, nodes_[b].constant}), type);
  }
  if (is_constant(a) && is_commutative(op)) std::swap(a, b);
  if (is_constant(b)) {
    const Value c = nodes_[b].constant;
    if (is_right_identity(op, c)) return a;
    if (op == Op::Subtract) {
      return arithmetic(Op::Add, type, a, constant(apply(Op::Negate, type, std::array{c}), type));
    }
    const ValueNode& left = nodes_[a];
    if (op == Op::Add && left.op == Op::Add && is_constant(left.arguments[1])) {
      const NodeId x = left.arguments[0];
      const Value sum = apply(Op::Add, type, std::array{nodes_[left.arguments[1]].constant, c});
      return arithmetic(Op::Add, type, x, constant(sum, type));
    }
  }
  return add(op, type, a, b);
}

NodeId ValueGraph::cast(NodeId a, ScalarType target) {
  const ScalarType source = result_type(a);
  if (source == target) return a;
  const ValueNode& node = nodes_[a];
  if (node.op == Op::Const) return constant(node.constant, target);
  // An earlier cast is redundant if this cast has at most as many bits.
  if (node.op == Op::Cast && source.bits >= target.bits) return cast(node.arguments[0], target);
  return add(Op::Cast, target, a);
}

/// Returns the arguments of a Select if one of its arms is a constant. A comparison of this Select with a constant is
/// then moved into the arms.
std::optional<std::array<NodeId, 3>> ValueGraph::select_of_constant(NodeId id) const {
  const ValueNode& node = nodes_[id];
  if (node.op != Op::Select) return std::nullopt;
  if (!is_constant(node.arguments[1]) && !is_constant(node.arguments[2])) return std::nullopt;
  return node.arguments;
}

NodeId ValueGraph::equal_to_constant(NodeId a, NodeId b, ScalarType type) {
  const Value wanted = nodes_[b].constant;
  if (boolean_[a]) {
    if (wanted == 1) return a;
    return wanted == 0 ? negation(a) : kFalse;
  }
  const ValueNode node = nodes_[a];
  if (node.op == Op::Cast) {
    // A cast to the same or a larger number of bits is injective, so compare the values before the cast.
    const ScalarType source = result_type(node.arguments[0]);
    if (source.bits <= type.bits) {
      const Value inner = source.wrap(wanted);
      return type.wrap(inner) == wanted ? equal(node.arguments[0], constant(inner, source), source) : kFalse;
    }
  }
  if (node.op == Op::Add && is_constant(node.arguments[1])) {
    const Value difference = apply(Op::Subtract, type, std::array{wanted, nodes_[node.arguments[1]].constant});
    return equal(node.arguments[0], constant(difference, type), type);
  }
  if (const auto parts = select_of_constant(a)) {
    return if_then_else((*parts)[0], equal((*parts)[1], b, type), equal((*parts)[2], b, type));
  }
  return add(Op::Equal, type, a, b);
}

NodeId ValueGraph::equal(NodeId a, NodeId b, ScalarType type) {
  a = cast(a, type);
  b = cast(b, type);
  if (a == b) return kTrue;
  if (is_constant(a)) std::swap(a, b);
  if (is_constant(a)) return kFalse;  // two constants of one type with different ids
  if (is_constant(b)) return equal_to_constant(a, b, type);
  return add(Op::Equal, type, std::min(a, b), std::max(a, b));
}

NodeId ValueGraph::less(NodeId a, NodeId b, ScalarType type) {
  a = cast(a, type);
  b = cast(b, type);
  if (a == b) return kFalse;
  if (is_constant(a) && is_constant(b)) {
    return constant(apply(Op::Less, type, std::array{nodes_[a].constant, nodes_[b].constant}));
  }
  const NodeId zero = constant(0, type);
  const NodeId one = constant(1, type);
  if (is_constant(b)) {
    if (boolean_[a]) return if_then_else(a, less(one, b, type), less(zero, b, type));
    if (const auto parts = select_of_constant(a)) {
      return if_then_else((*parts)[0], less((*parts)[1], b, type), less((*parts)[2], b, type));
    }
  }
  if (is_constant(a)) {
    if (boolean_[b]) return if_then_else(b, less(a, one, type), less(a, zero, type));
    if (const auto parts = select_of_constant(b)) {
      return if_then_else((*parts)[0], less(a, (*parts)[1], type), less(a, (*parts)[2], type));
    }
  }
  return add(Op::Less, type, a, b);
}

NodeId ValueGraph::truth(NodeId a) {
  if (boolean_[a]) return a;
  const ScalarType type = result_type(a);
  return negation(equal(a, constant(0, type), type));
}

NodeId ValueGraph::select(NodeId condition, NodeId if_true, NodeId if_false, ScalarType type) {
  condition = truth(condition);
  if_true = cast(if_true, type);
  if_false = cast(if_false, type);
  if (nodes_[condition].op == Op::LogicalNot) {
    condition = nodes_[condition].arguments[0];
    std::swap(if_true, if_false);
  }
  const auto arm = [&](NodeId id, std::size_t which) {
    const ValueNode& node = nodes_[id];
    return node.op == Op::Select && node.arguments[0] == condition ? node.arguments[which] : id;
  };
  if_true = arm(if_true, 1);
  if_false = arm(if_false, 2);
  if (condition == kTrue || if_true == if_false) return if_true;
  if (condition == kFalse) return if_false;
  if (type == kInt && boolean_[if_true] && boolean_[if_false]) return if_then_else(condition, if_true, if_false);
  return add(Op::Select, type, condition, if_true, if_false);
}

void ValueGraph::collect_reads(NodeId id, EventSet& reads) const {
  if (is_constant(id)) return;
  std::vector<bool> seen(id + 1, false);
  std::vector<NodeId> stack = {id};
  while (!stack.empty()) {
    const NodeId at = stack.back();
    stack.pop_back();
    const ValueNode& node = nodes_[at];
    if (node.op == Op::Register) reads.insert(node.read);
    if (node.op == Op::Register || node.op == Op::Const) continue;
    for (const NodeId argument : node.arguments) {
      if (argument <= kTrue || seen[argument]) continue;
      seen[argument] = true;
      stack.push_back(argument);
    }
  }
}

std::vector<NodeId> ValueGraph::compact(std::span<const NodeId> roots, std::span<const EventId> event_map) {
  std::vector<bool> needed(nodes_.size(), false);
  for (const NodeId root : roots) needed[root] = true;
  for (std::size_t id = nodes_.size(); id-- > 2;) {
    if (!needed[id]) continue;
    for (const NodeId argument : nodes_[id].arguments) needed[argument] = true;
  }
  ValueGraph kept;
  kept.set_context(context_);
  std::vector<NodeId> renumbered(nodes_.size(), kFalse);
  renumbered[kTrue] = kTrue;
  for (NodeId id = 2; id < nodes_.size(); ++id) {
    if (!needed[id]) continue;
    ValueNode node = nodes_[id];
    if (node.op == Op::Register && !event_map.empty()) {
      node.read = event_map[node.read];
      if (node.read == kNoEvent) {
        renumbered[id] = kept.constant(0, node.type);
        continue;
      }
    }
    for (NodeId& argument : node.arguments) argument = renumbered[argument];
    renumbered[id] = kept.intern(node);
  }
  *this = std::move(kept);
  return renumbered;
}

namespace {

/// Returns the value of a node whose arguments are in `out`.
Value value_of(const ValueNode& node, std::span<const Value> read_values, const std::vector<Value>& out) {
  const auto argument = [&](std::size_t i) { return out[node.arguments[i]]; };
  switch (node.op) {
    case Op::Const: return node.constant;
    case Op::Register: return node.type.wrap(read_values[node.read]);
    case Op::LogicalNot: return argument(0) == 0 ? 1 : 0;
    case Op::LogicalAnd: return argument(0) != 0 && argument(1) != 0 ? 1 : 0;
    case Op::LogicalOr: return argument(0) != 0 || argument(1) != 0 ? 1 : 0;
    case Op::Equal: return argument(0) == argument(1) ? 1 : 0;
    case Op::Select: return argument(0) != 0 ? argument(1) : argument(2);
    case Op::Cast: return node.type.wrap(argument(0));
    case Op::Negate:
    case Op::BitNot: return apply(node.op, node.type, std::array{argument(0)});
    default: return apply(node.op, node.type, std::array{argument(0), argument(1)});
  }
}

}  // namespace

void evaluate(const ValueGraph& graph, std::span<const Value> read_values, std::vector<Value>& out) {
  out.resize(graph.size());
  for (NodeId id = 0; id < graph.size(); ++id) out[id] = value_of(graph[id], read_values, out);
}

void evaluate(const ValueGraph& graph, std::span<const NodeId> nodes, std::span<const Value> read_values,
              std::vector<Value>& out) {
  out.resize(graph.size());
  for (const NodeId id : nodes) out[id] = value_of(graph[id], read_values, out);
}

std::vector<NodeId> needed_nodes(const ValueGraph& graph, NodeId node) {
  std::vector<NodeId> nodes{node};
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const ValueNode& value = graph[nodes[i]];
    if (value.op == Op::Const || value.op == Op::Register) continue;
    for (std::size_t k = 0; k < arity(value.op); ++k) {
      if (std::ranges::find(nodes, value.arguments[k]) == nodes.end()) nodes.push_back(value.arguments[k]);
    }
  }
  std::ranges::sort(nodes);  // arguments have smaller ids than their users
  return nodes;
}

std::optional<Value> evaluate(const ValueGraph& graph, NodeId node, const ReadValue& value_of_read,
                              std::unordered_map<NodeId, Value>& known) {
  const ValueNode& value = graph[node];
  if (value.op == Op::Const) return value.constant;
  if (const auto found = known.find(node); found != known.end()) return found->second;
  std::optional<Value> result;
  if (value.op == Op::Register) {
    result = value_of_read(value.read);
    if (result) result = value.type.wrap(*result);
  } else {
    std::array<Value, 3> arguments{};
    for (std::size_t i = 0; i < arity(value.op); ++i) {
      const std::optional<Value> argument = evaluate(graph, value.arguments[i], value_of_read, known);
      if (!argument) return std::nullopt;
      arguments[i] = *argument;
    }
    result = apply(value.op, value.type, std::span<const Value>(arguments).first(arity(value.op)));
  }
  if (result) known.emplace(node, *result);
  return result;
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
