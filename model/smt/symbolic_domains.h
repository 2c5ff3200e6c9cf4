#pragma once

#include <map>
#include <span>
#include <vector>

#include "model/events/event_graph.h"
#include "model/smt/may_and_must.h"

namespace ambit::smt {

/// Read events of this number and above stand for the final value of memory cells: kFinal + location.
inline constexpr events::EventId kFinal = 0x40000000U;

/// More values than this for one node, and the engine gives up (UnknownReason::Values).
inline constexpr std::size_t kMaxDomain = 4096;

/// By read: values one of which it returns in every execution, ascending.
using KnownReads = std::map<events::EventId, std::vector<Value>>;

/// The finite set of values that each node of a ValueGraph can take.
///
/// Values are grounded (acyclic(rf | addr | data | rmw) in every candidate execution), so that a value reaches a read
/// by a chain of reads-from edges that passes each write at most once. Where values depend on each other in a circle,
/// as those of a counter that everybody increments, there need not be a fixed point; but rounds of "a read returns what
/// its sources may write" suffice, one more than the circle has writes.
class Domains {
 public:
  /// `values` is the graph's ValueGraph with more nodes added (final values of memory, conditions on them). Computes
  /// the domains of `roots` and of all that they need. `context` is polled.
  Domains(const events::EventGraph& graph, const events::ValueGraph& values, const Candidates& candidates,
          const KnownReads& known_reads, std::span<const events::NodeId> roots, Context& context);

  /// Some domain would be larger than kMaxDomain.
  bool overflow() const { return overflow_; }
  /// Ascending. Only for nodes that the roots need.
  const std::vector<Value>& of(events::NodeId node) const { return domains_[node]; }
  bool is_needed(events::NodeId node) const { return needed_[node]; }

 private:
  /// Nodes whose values depend on each other, ascending, and how many writes have one of them as their value.
  struct Component {
    std::vector<events::NodeId> nodes;
    std::size_t writes = 0;
  };

  void mark(std::span<const events::NodeId> roots);
  template <typename Function>
  void for_each_needed(events::NodeId node, Function&& function) const;
  /// All reads from what was known before, then all that is computed from them. False: nothing new.
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
  std::vector<events::NodeId> order_;  ///< needed nodes, ascending: arguments before users
  std::vector<std::vector<Value>> domains_;
  bool overflow_ = false;
};

/// The writes whose value `read` (a read event or kFinal + location) may return.
std::span<const events::EventId> sources_of(const Candidates& candidates, events::EventId read);

}  // namespace ambit::smt
