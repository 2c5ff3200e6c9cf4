// Represents the booleans of a ValueGraph as reduced ordered decision diagrams (see the comment of the class).

#include <algorithm>

#include "base/hash.h"
#include "model/events/value_graph.h"

namespace ambit::events {
namespace {

constexpr std::size_t kCacheSize = 512;  // a power of two; an evicted result is computed again
constexpr NodeId kRestrictMark = 0xffffffffU;

std::size_t cache_slot(const std::array<NodeId, 3>& key) {
  return combine_hash((std::uint64_t{key[0]} << 32U) | key[1], key[2]) & (kCacheSize - 1);
}

}  // namespace

std::optional<NodeId> ValueGraph::recall(const std::array<NodeId, 3>& key) const {
  if (cache_.empty()) return std::nullopt;
  const CacheEntry& entry = cache_[cache_slot(key)];
  if (entry.key != key) return std::nullopt;
  return entry.result;
}

void ValueGraph::remember(const std::array<NodeId, 3>& key, NodeId result) {
  if (cache_.empty()) cache_.resize(kCacheSize);  // no lookup uses the key {0,0,0}
  cache_[cache_slot(key)] = {key, result};
}

ValueGraph::Decision ValueGraph::decide(NodeId boolean) const {
  const ValueNode& node = nodes_[boolean];
  switch (node.op) {
    case Op::LogicalNot: return {node.arguments[0], kFalse, kTrue};
    case Op::Select: return {node.arguments[0], node.arguments[1], node.arguments[2]};
    case Op::LogicalAnd:
    case Op::LogicalOr: {
      // The first argument is the literal of the decision variable.
      const ValueNode& literal = nodes_[node.arguments[0]];
      const bool negative = literal.op == Op::LogicalNot;
      const NodeId atom = negative ? literal.arguments[0] : node.arguments[0];
      const bool is_and = node.op == Op::LogicalAnd;
      const NodeId decided = is_and ? kFalse : kTrue;
      const NodeId rest = node.arguments[1];
      // A conjunction with a false literal is false, and a disjunction with a true literal is true.
      return is_and != negative ? Decision{atom, rest, decided} : Decision{atom, decided, rest};
    }
    default: return {boolean, kTrue, kFalse};
  }
}

NodeId ValueGraph::decision(NodeId atom, NodeId high, NodeId low) {
  if (high == low) return high;
  const auto negated = [&] { return add(Op::LogicalNot, kInt, atom); };
  if (high == kTrue) return low == kFalse ? atom : add(Op::LogicalOr, kInt, atom, low);
  if (high == kFalse) return low == kTrue ? negated() : add(Op::LogicalAnd, kInt, negated(), low);
  if (low == kFalse) return add(Op::LogicalAnd, kInt, atom, high);
  if (low == kTrue) return add(Op::LogicalOr, kInt, negated(), high);
  return add(Op::Select, kInt, atom, high, low);
}

NodeId ValueGraph::if_then_else(NodeId condition, NodeId high, NodeId low) {
  if (condition == kTrue || high == low) return high;
  if (condition == kFalse) return low;
  if (high == kTrue && low == kFalse) return condition;
  if (high == condition) high = kTrue;
  if (low == condition) low = kFalse;
  const std::array<NodeId, 3> key = {condition, high, low};
  if (context_ != nullptr) context_->poll();
  if (const auto known = recall(key)) return *known;
  const Decision c = decide(condition);
  const Decision h = high <= kTrue ? Decision{0, high, high} : decide(high);
  const Decision l = low <= kTrue ? Decision{0, low, low} : decide(low);
  const NodeId atom = std::max({c.atom, h.atom, l.atom});
  const auto side = [atom](const Decision& d, NodeId whole, bool positive) {
    if (d.atom != atom) return whole;
    return positive ? d.high : d.low;
  };
  const NodeId if_true = if_then_else(side(c, condition, true), side(h, high, true), side(l, low, true));
  const NodeId if_false = if_then_else(side(c, condition, false), side(h, high, false), side(l, low, false));
  const NodeId result = decision(atom, if_true, if_false);
  remember(key, result);
  return result;
}

NodeId ValueGraph::conjunction(NodeId a, NodeId b) { return if_then_else(truth(a), truth(b), kFalse); }
NodeId ValueGraph::disjunction(NodeId a, NodeId b) { return if_then_else(truth(a), kTrue, truth(b)); }
NodeId ValueGraph::negation(NodeId a) { return if_then_else(truth(a), kFalse, kTrue); }

NodeId ValueGraph::given(NodeId a, NodeId care) {
  a = truth(a);
  if (care == kTrue || a <= kTrue) return a;
  if (conjunction(a, care) == kFalse) return kFalse;
  if (implies(care, a)) return kTrue;
  return restrict_to(a, care);
}

NodeId ValueGraph::restrict_to(NodeId a, NodeId care) {
  if (a <= kTrue || care <= kTrue) return a;
  if (a == care) return kTrue;
  const std::array<NodeId, 3> key = {a, care, kRestrictMark};
  if (const auto known = recall(key)) return *known;
  const Decision value = decide(a);
  const Decision cared = decide(care);
  NodeId result = kFalse;
  if (cared.atom > value.atom) {
    result = restrict_to(a, disjunction(cared.high, cared.low));
  } else if (cared.atom < value.atom) {
    result = decision(value.atom, restrict_to(value.high, care), restrict_to(value.low, care));
  } else if (cared.high == kFalse) {
    result = restrict_to(value.low, cared.low);
  } else if (cared.low == kFalse) {
    result = restrict_to(value.high, cared.high);
  } else {
    result = decision(value.atom, restrict_to(value.high, cared.high), restrict_to(value.low, cared.low));
  }
  remember(key, result);
  return result;
}

}  // namespace ambit::events
