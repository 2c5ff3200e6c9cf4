#pragma once

#include <map>
#include <span>
#include <vector>

#include "model/events/event_graph.h"
#include "model/smt/may_and_must.h"

namespace ambit::smt {

/// Read event kFinal + location represents the final value of a memory cell.
inline constexpr events::EventId kFinal = 0x40000000U;

/// The maximum number of values of a node. If a node has more values, the engine gives up (UnknownReason::Values).
inline constexpr std::size_t kMaxDomain = 4096;

/// Maps a read to a superset of the values that it returns in any execution, in ascending order.
using KnownReads = std::map<events::EventId, std::vector<Value>>;

/// The finite set of values that each node of a ValueGraph can have.
///
/// Values are grounded (acyclic(rf | addr | data | rmw) in all candidate executions), so a value reaches a read through
/// a chain of reads-from edges that passes each write at most once. Values can depend on each other in a cycle, for
/// example in a counter that all threads increment. Then a fixed point may not exist, but a limited number of rounds is
/// enough: the number of writes in the cycle plus one. In each round, a read gets the values of its sources.
class Domains {
 public:
  /// Computes the domains of `roots` and of all nodes on which `roots` depend. `values` is the graph's ValueGraph with
  /// additional nodes (final values of memory, and conditions on final values). Polls `context`.
  Domains(const events::EventGraph& graph, const events::ValueGraph& values, const Candidates& candidates,
          const KnownReads& known_reads, std::span<const events::NodeId> roots, Context& context);

  /// Returns whether some domain would be larger than kMaxDomain.
  bool overflow() const { return overflow_; }
  /// Returns the domain in ascending order. Only for nodes on which the roots depend.
  const std::vector<Value>& of(events::NodeId node) const { return domains_[node]; }
  bool is_needed(events::NodeId node) const { return needed_[node]; }

 private:
  /// The nodes whose values depend on each other, in ascending order, and the number of writes that store the value of
  /// one of these nodes.
  struct Component {
    std::vector<events::NodeId> nodes;
    std::size_t writes = 0;
  };

  void mark(std::span<const events::NodeId> roots);
  template <typename Function>
  void for_each_needed(events::NodeId node, Function&& function) const;
  /// Computes the values of all reads from the previous round, and then all nodes that depend on the reads. Returns
  /// whether the round found a new value.
  bool round(const std::vector<events::NodeId>& nodes);
  std::vector<Value> compute(events::NodeId node);
  void collect(const events::ValueNode& read, std::vector<Value>& out);
  void combine(const events::ValueNode& node, std::vector<Value>& out);

  const events::EventGraph& graph_;
  const events::ValueGraph& values_;
  const Candidates& candidates_;
  const KnownReads& known_reads_;
  Context& context_;
  std::vector<bool> needed_;
  std::vector<events::NodeId> order_;  ///< needed nodes in ascending order; each node follows its arguments
  std::vector<std::vector<Value>> domains_;
  bool overflow_ = false;
};

/// Returns the writes whose values `read` may return. `read` is a read event or kFinal + location.
std::span<const events::EventId> sources_of(const Candidates& candidates, events::EventId read);

}  // namespace ambit::smt
