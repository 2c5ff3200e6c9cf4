#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/expr.h"
#include "model/events/relation.h"

namespace ambit::events {

/// Index of a node in a ValueGraph.
using NodeId = std::uint32_t;

/// One value of the program as a function of what its reads return.
struct ValueNode {
  Op op = Op::Const;       ///< Op::Register here means: the value returned by read event `read`
  ScalarType type = kInt;  ///< operand type, see ambit::apply; of the leaf for leaves
  Value constant = 0;
  EventId read = kNoEvent;
  std::array<NodeId, 3> arguments{};

  friend bool operator==(const ValueNode&, const ValueNode&) = default;
};

/// All values, guards and addresses of an EventGraph in one hash-consed graph: equal nodes have equal ids, arguments
/// have smaller ids than their users, constants are folded. Node 0 is the constant 0 (false), node 1 the constant 1
/// (true).
class ValueGraph {
 public:
  static constexpr NodeId kFalse = 0;
  static constexpr NodeId kTrue = 1;

  ValueGraph();

  NodeId constant(Value value, ScalarType type = kInt);
  NodeId read(EventId event, ScalarType type);
  /// Folds constants and simplifies boolean identities (x && true, x == x, !!b, select with equal arms ...).
  NodeId make(Op op, ScalarType operand_type, std::span<const NodeId> arguments);

  NodeId conjunction(NodeId a, NodeId b);
  NodeId disjunction(NodeId a, NodeId b);
  NodeId negation(NodeId a);
  NodeId equal(NodeId a, NodeId b, ScalarType type);
  NodeId select(NodeId condition, NodeId if_true, NodeId if_false, ScalarType type);
  NodeId cast(NodeId a, ScalarType target);
  /// 0/1 truth value of `a` (a != 0).
  NodeId truth(NodeId a);

  std::size_t size() const { return nodes_.size(); }
  const ValueNode& operator[](NodeId id) const { return nodes_[id]; }
  bool is_constant(NodeId id) const { return nodes_[id].op == Op::Const; }
  ScalarType result_type(NodeId id) const { return is_boolean(nodes_[id].op) ? kInt : nodes_[id].type; }

  /// The reads that `id` depends on, as events.
  void collect_reads(NodeId id, EventSet& reads) const;

 private:
  struct Hash {
    std::size_t operator()(const ValueNode& node) const;
  };
  NodeId intern(const ValueNode& node);

  std::vector<ValueNode> nodes_;
  std::unordered_map<ValueNode, NodeId, Hash> index_;
};

/// Values of all nodes when read event e returned read_values[e]. `out` is resized to the graph's size.
void evaluate(const ValueGraph& graph, std::span<const Value> read_values, std::vector<Value>& out);

}  // namespace ambit::events
