#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/context.h"
#include "core/expr.h"
#include "model/events/relation.h"

namespace ambit::events {

/// Index of a node in a ValueGraph.
using NodeId = std::uint32_t;

/// One value of the program as a function of the values that its reads return.
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
///
/// Every argument of an arithmetic or comparison node has the node's operand type as its result type (casts are made
/// explicit); the only comparisons are Equal and Less (the others are written with them and LogicalNot); the condition
/// of a Select and the arguments of a logical operator are booleans.
///
/// Booleans (nodes that can only be 0 or 1: comparisons, logical operators, Selects of type int between booleans) are
/// kept in the normal form of reduced ordered decision diagrams (Bryant, IEEE ToC 1986): the atoms are the comparisons,
/// the latest one decides first, and a decision is written with the shortest of !v, v && x, !v && x, v || x, !v || x,
/// v ? x : y. Hence logically equal guards are one node: (g && c) || (g && !c) is g.
class ValueGraph {
 public:
  static constexpr NodeId kFalse = 0;
  static constexpr NodeId kTrue = 1;

  ValueGraph();

  /// Makes the creation of nodes poll `context` (Context::poll), which must outlive that; null: no polling.
  void set_context(Context* context) { context_ = context; }
  /// Makes the creation of more nodes throw Stopped (UnknownReason::Values).
  void set_most_nodes(std::size_t count) { most_nodes_ = count; }

  NodeId constant(Value value, ScalarType type = kInt);
  NodeId read(EventId event, ScalarType type);
  /// Folds constants and simplifies identities (x && true, x == x, !!b, x + 0, select with equal arms ...). Identities
  /// that would lose a syntactic dependency of arithmetic (x ^ x, x * 0) are left alone.
  NodeId make(Op op, ScalarType operand_type, std::span<const NodeId> arguments);

  NodeId conjunction(NodeId a, NodeId b);
  NodeId disjunction(NodeId a, NodeId b);
  NodeId negation(NodeId a);
  NodeId equal(NodeId a, NodeId b, ScalarType type);
  NodeId select(NodeId condition, NodeId if_true, NodeId if_false, ScalarType type);
  NodeId cast(NodeId a, ScalarType target);
  /// Returns the truth value 0 or 1 of `a` (a != 0).
  NodeId truth(NodeId a);
  /// Returns a boolean that equals `a` whenever `care` is true, simplified by `care` (the restrict operator of Coudert
  /// and Madre, ICCAD 1990): true if care implies a, false if it excludes a.
  NodeId given(NodeId a, NodeId care);
  /// Returns whether `b` holds whenever `a` does, taking comparisons as independent of each other.
  bool implies(NodeId a, NodeId b) { return conjunction(a, negation(b)) == kFalse; }

  std::size_t size() const { return nodes_.size(); }
  const ValueNode& operator[](NodeId id) const { return nodes_[id]; }
  bool is_constant(NodeId id) const { return nodes_[id].op == Op::Const; }
  ScalarType result_type(NodeId id) const { return is_boolean(nodes_[id].op) ? kInt : nodes_[id].type; }
  /// Returns whether the node can only be 0 or 1 (see above).
  bool is_boolean_node(NodeId id) const { return boolean_[id]; }

  /// Collects the reads on which `id` depends, as events.
  void collect_reads(NodeId id, EventSet& reads) const;

  /// Drops every node that no root needs and renumbers reads: event e becomes event_map[e]. An event that becomes
  /// kNoEvent can no longer be executed, and its value is taken as 0. An empty map keeps the events. Returns the new id
  /// by old id (meaningless for dropped nodes).
  std::vector<NodeId> compact(std::span<const NodeId> roots, std::span<const EventId> event_map);

 private:
  /// `atom ? high : low`, for a boolean that is not constant.
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
  std::vector<NodeId> index_;  ///< open hash table of ids into nodes_; 0 (never looked up there): free
  Context* context_ = nullptr;
  std::size_t most_nodes_ = std::numeric_limits<std::size_t>::max();
  std::vector<CacheEntry> cache_;  ///< direct-mapped, of if_then_else and restrict_to results
};

/// Computes the values of all nodes if read event e returned read_values[e]. `out` is resized to the graph's size.
void evaluate(const ValueGraph& graph, std::span<const Value> read_values, std::vector<Value>& out);
/// Like evaluate() above, for the nodes that needed_nodes() returns, in rising order.
void evaluate(const ValueGraph& graph, std::span<const NodeId> nodes, std::span<const Value> read_values,
              std::vector<Value>& out);
/// Returns the node and all nodes from which its value is computed, in rising order.
std::vector<NodeId> needed_nodes(const ValueGraph& graph, NodeId node);

/// Returns the value of a read event; nothing if it is unknown.
using ReadValue = std::function<std::optional<Value>(EventId)>;
/// Returns the value of `node`, evaluating only the necessary nodes. Returns nothing if that includes a read without a
/// known value. `known`: values of nodes that are known already; new ones are added.
std::optional<Value> evaluate(const ValueGraph& graph, NodeId node, const ReadValue& value_of_read,
                              std::unordered_map<NodeId, Value>& known);

/// Appends the nodes x1, x2 ... with node = x1 op x2 op ... from left to right. `op`: a conjunction or a disjunction.
void collect_parts(const ValueGraph& values, NodeId node, Op op, std::vector<NodeId>& parts);

}  // namespace ambit::events
