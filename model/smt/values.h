#pragma once

#include <optional>
#include <vector>

#include "model/smt/choices.h"
#include "model/smt/symbolic_domains.h"

namespace ambit::smt {

/// Creates literals for the values of the program on demand: one literal for each node and each value of its domain.
///
/// The literals are gates over rf, and are exact in both directions. If the value of a read may depend on itself
/// through other threads (counters), its literals are variables, and clauses equate them with the literals of the
/// source. The solution is unique, because other clauses require groundedness.
class Values {
 public:
  Values(const events::EventGraph& graph, const Candidates& candidates, Choices& choices, Literals& literals);

  /// Returns the node of a condition's expression over Program::observables.
  events::NodeId compile(const Expr& expression);
  /// Returns the node of an observable's final value.
  events::NodeId observable(std::size_t index);
  /// Computes the domains of all nodes on which `roots`, guards and addresses depend. Must be called once, after
  /// compile(). Returns false if the number of values is too large.
  [[nodiscard]] bool prepare(std::vector<events::NodeId> roots, const KnownReads& known_reads);
  /// Adds the clauses that equate self-dependent reads with their sources. Must be called once, after the last
  /// question.
  void finish();

  Lit executed(events::EventId event) { return truth(graph_.events[event].guard); }
  Lit both_executed(events::EventId a, events::EventId b) { return literals_.all_of({executed(a), executed(b)}); }
  /// Returns the literal for "the executed access `event` is at `location`".
  Lit at(events::EventId event, LocationId location);
  /// Returns the literal for "the two executed accesses are at one location".
  Lit same_location(events::EventId a, events::EventId b);
  /// Returns the literal for "the node is not 0".
  Lit truth(events::NodeId node);
  Lit equals(events::NodeId node, Value value);
  /// Returns whether the roots of prepare() depend on the node.
  bool is_needed(events::NodeId node) const { return domains_->is_needed(node); }
  const std::vector<Value>& domain(events::NodeId node) const { return domains_->of(node); }

 private:
  const std::vector<Lit>& literals_of(events::NodeId node);
  std::vector<Lit> make(events::NodeId node);
  std::vector<Lit> make_read(events::NodeId node);
  std::vector<Lit> make_boolean(Lit truth, const std::vector<Value>& domain) const;
  std::vector<Lit> make_select(const events::ValueNode& node, const std::vector<Value>& domain);
  std::vector<Lit> make_general(const events::ValueNode& node, const std::vector<Value>& domain);
  std::optional<Lit> boolean_truth(const events::ValueNode& node);
  /// Returns the literal for "the read's source (or the cell's last write) is `write`".
  Lit source(events::EventId write, events::EventId read);
  Lit last(events::EventId write, LocationId location);
  void find_self_dependent();
  void tie(events::NodeId node);

  const events::EventGraph& graph_;
  const Candidates& candidates_;
  Choices& choices_;
  Literals& literals_;
  events::ValueGraph nodes_;
  std::optional<Domains> domains_;
  /// The literals of each node, one for each value in its domain; empty if they do not exist yet.
  std::vector<std::vector<Lit>> known_;
  std::vector<bool> self_dependent_;  ///< for each read, whether its value may depend on itself
  std::vector<events::NodeId> tied_;  ///< the read nodes whose literals are variables
};

}  // namespace ambit::smt
