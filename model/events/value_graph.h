#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/context.h"
#include "core/expr.h"
#include "model/events/relation.h"

namespace ambit::events {

/// Index of a node in a ValueGraph.
using NodeId = std::uint32_t;

/// One value of the program, expressed as a function of the values that the program's reads return.
struct ValueNode {
  Op op = Op::Const;       ///< in this graph, Op::Register is the value that read event `read` returns
  ScalarType type = kInt;  ///< type of the operands (see ambit::apply); for a leaf, the leaf's type
  Value constant = 0;
  EventId read = kNoEvent;
  std::array<NodeId, 3> arguments{};

  friend bool operator==(const ValueNode&, const ValueNode&) = default;
};

/// All values, guards and addresses of an EventGraph in one hash-consed graph: equal nodes have equal ids, arguments
/// have smaller ids than the nodes that use them, and constants are folded. Node 0 is the constant 0 (false), and node
/// 1 is the constant 1 (true).
///
/// The result type of each argument of an arithmetic or comparison node is the node's operand type (casts are
/// explicit). The only comparisons are Equal and Less; other comparisons are built from Equal, Less and LogicalNot. The
/// condition of a Select and the arguments of a logical operator are booleans.
///
/// Booleans are nodes that can only be 0 or 1: comparisons, logical operators, and Selects of type int between
/// booleans. Booleans have the normal form of reduced ordered decision diagrams (Bryant, IEEE ToC 1986). The atoms are
/// the comparisons. The atom with the greatest id is at the top. A decision has the shortest possible form: !v, v && x,
/// !v && x, v || x, !v || x, or v ? x : y. So logically equal guards are one node: (g && c) || (g && !c) is g.
class ValueGraph {
 public:
  static constexpr NodeId kFalse = 0;
  static constexpr NodeId kTrue = 1;

  ValueGraph();

  /// From now on, the creation of nodes polls `context` (Context::poll), which must outlive the graph. Null disables
  /// polling.
  void set_context(Context* context) { context_ = context; }
  /// From now on, the creation of more than `count` nodes throws Stopped (UnknownReason::Values).
  void set_most_nodes(std::size_t count) { most_nodes_ = count; }

  NodeId constant(Value value, ScalarType type = kInt);
  NodeId read(EventId event, ScalarType type);
  /// Folds constants and simplifies identities (x && true, x == x, !!b, x + 0, select with equal arms ...). Does not
  /// simplify arithmetic if a syntactic dependency would be lost (x ^ x, x * 0).
  NodeId make(Op op, ScalarType operand_type, std::span<const NodeId> arguments);

  NodeId conjunction(NodeId a, NodeId b);
  NodeId disjunction(NodeId a, NodeId b);
  NodeId negation(NodeId a);
  NodeId equal(NodeId a, NodeId b, ScalarType type);
  NodeId select(NodeId condition, NodeId if_true, NodeId if_false, ScalarType type);
  NodeId cast(NodeId a, ScalarType target);
  /// Returns the truth value 0 or 1 of `a` (a != 0).
  NodeId truth(NodeId a);
  /// Returns a simpler boolean that equals `a` whenever `care` is true (the restrict operator of Coudert and Madre,
  /// ICCAD 1990). The result is true if `care` implies `a`, and false if `care` excludes `a`.
  NodeId given(NodeId a, NodeId care);
  /// Returns whether `a` implies `b`. The function treats comparisons as independent of each other.
  bool implies(NodeId a, NodeId b) { return conjunction(a, negation(b)) == kFalse; }

  std::size_t size() const { return nodes_.size(); }
  const ValueNode& operator[](NodeId id) const { return nodes_[id]; }
  bool is_constant(NodeId id) const { return nodes_[id].op == Op::Const; }
  ScalarType result_type(NodeId id) const { return is_boolean(nodes_[id].op) ? kInt : nodes_[id].type; }
  /// Returns whether the node can only be 0 or 1 (see above).
  bool is_boolean_node(NodeId id) const { return boolean_[id]; }

  /// Collects the reads on which `id` depends, as events.
  void collect_reads(NodeId id, EventSet& reads) const;

  /// Drops all nodes on which no root depends, and renumbers the events of reads: event e becomes event_map[e]. If
  /// event_map[e] is kNoEvent, the event is never executed, and its value becomes 0. With an empty map, events keep
  /// their numbers. Returns the new id of each old node; the ids of dropped nodes have no meaning.
  std::vector<NodeId> compact(std::span<const NodeId> roots, std::span<const EventId> event_map);

 private:
  /// The decision `atom ? high : low` of a boolean that is not constant.
  struct Decision {
    NodeId atom;
    NodeId high;
    NodeId low;
  };
  struct CacheEntry {
    std::array<NodeId, 3> key{};
    NodeId result = 0;
  };

  NodeId intern(const ValueNode& node);
  void grow_index();
  NodeId add(Op op, ScalarType type, NodeId a, NodeId b = 0, NodeId c = 0);
  NodeId arithmetic(Op op, ScalarType type, NodeId a, NodeId b);
  NodeId less(NodeId a, NodeId b, ScalarType type);
  NodeId equal_to_constant(NodeId a, NodeId constant, ScalarType type);
  std::optional<std::array<NodeId, 3>> select_of_constant(NodeId id) const;

  Decision decide(NodeId boolean) const;
  NodeId decision(NodeId atom, NodeId high, NodeId low);
  NodeId if_then_else(NodeId condition, NodeId high, NodeId low);
  NodeId restrict_to(NodeId a, NodeId care);
  std::optional<NodeId> recall(const std::array<NodeId, 3>& key) const;
  void remember(const std::array<NodeId, 3>& key, NodeId result);

  std::vector<ValueNode> nodes_;
  std::vector<bool> boolean_;
  std::vector<NodeId> index_;  ///< open hash table of node ids; 0 marks a free slot, because id 0 is never looked up
  Context* context_ = nullptr;
  std::size_t most_nodes_ = std::numeric_limits<std::size_t>::max();
  std::vector<CacheEntry> cache_;  ///< direct-mapped cache of the results of if_then_else and restrict_to
};

/// Computes the values of all nodes, if each read event e returns read_values[e]. Resizes `out` to the graph's size.
void evaluate(const ValueGraph& graph, std::span<const Value> read_values, std::vector<Value>& out);
/// Like evaluate() above, but only for the nodes that needed_nodes() returns, in increasing order.
void evaluate(const ValueGraph& graph, std::span<const NodeId> nodes, std::span<const Value> read_values,
              std::vector<Value>& out);
/// Returns the node and all nodes on which its value depends, in increasing order.
std::vector<NodeId> needed_nodes(const ValueGraph& graph, NodeId node);

/// Returns the value of a read event, or nothing if the value is unknown.
using ReadValue = std::function<std::optional<Value>(EventId)>;
/// Returns the value of `node`. Evaluates only the necessary nodes. Returns nothing if a necessary node is a read
/// without a known value. `known` has the values that are already known; the function adds new values.
std::optional<Value> evaluate(const ValueGraph& graph, NodeId node, const ReadValue& value_of_read,
                              std::unordered_map<NodeId, Value>& known);

/// Appends the nodes x1, x2 ... with node = x1 op x2 op ... from left to right. `op` is a conjunction or a disjunction.
void collect_parts(const ValueGraph& values, NodeId node, Op op, std::vector<NodeId>& parts);

}  // namespace ambit::events
