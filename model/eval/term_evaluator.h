#pragma once

#include <cstdint>
#include <vector>

#include "model/events/execution.h"
#include "model/rules/rules.h"

namespace ambit::eval {

/// Evaluates the terms of a model on one concrete execution, according to the definition of each operator. The bit
/// matrix of a term is computed on first use. The matrix of a set is its identity relation, so that boolean operators
/// work for sets and relations. All references must outlive the evaluator.
class TermEvaluator {
 public:
  /// Polls `context` unless it is null.
  TermEvaluator(const events::EventGraph& graph, const rules::Rules& rules, const events::Execution& execution,
                Context* context = nullptr);

  /// Returns the value of `term`. The reference is valid until the next call of `fix`.
  const events::Relation& value(rules::TermId term);

  /// Sets the variable of a `let rec` to `value` instead of the least solution. Must be called before any term is
  /// evaluated.
  void fix(rules::TermId variable, events::Relation value);

  /// Returns the values of the variables of `group` in each round of the iteration, from empty relations to the least
  /// solution. Each element has one relation for each variable of the group, in the order of Rules::fixpoints.
  std::vector<std::vector<events::Relation>> stages(std::uint32_t group);

 private:
  events::Relation empty() const { return events::Relation(graph_.size()); }
  events::Relation identity_of_executed() const { return events::identity(execution_.executed); }
  events::EventSet as_set(rules::TermId term) { return events::domain(value(term)); }

  events::Relation apply(const rules::BaseSetTerm& op, rules::TermId term);
  events::Relation apply(const rules::BaseRelationTerm& op, rules::TermId term);
  events::Relation apply(const rules::OrderTerm& op, rules::TermId term);
  events::Relation apply(const rules::FixpointTerm& op, rules::TermId term);
  events::Relation apply(const rules::Empty& op, rules::TermId term);
  events::Relation apply(const rules::Union& op, rules::TermId term);
  events::Relation apply(const rules::Intersection& op, rules::TermId term);
  events::Relation apply(const rules::Difference& op, rules::TermId term);
  events::Relation apply(const rules::Complement& op, rules::TermId term);
  events::Relation apply(const rules::Sequence& op, rules::TermId term);
  events::Relation apply(const rules::Inverse& op, rules::TermId term);
  events::Relation apply(const rules::TransitiveClosure& op, rules::TermId term);
  events::Relation apply(const rules::Optional& op, rules::TermId term);
  events::Relation apply(const rules::SetIdentity& op, rules::TermId term);
  events::Relation apply(const rules::Product& op, rules::TermId term);
  events::Relation apply(const rules::Domain& op, rules::TermId term);
  events::Relation apply(const rules::Range& op, rules::TermId term);

  /// Computes the least solution of a `let rec` group: starts with empty variables and evaluates the bodies until no
  /// variable changes. Each round discards all computed terms except those that were known before the call. If
  /// `history` is not null, appends the variables' values before the first round and after each round.
  void solve(std::uint32_t group, std::vector<std::vector<events::Relation>>* history);

  const events::EventGraph& graph_;
  const rules::Rules& rules_;
  const events::Execution& execution_;
  Context* context_;
  std::vector<Value> nodes_;
  std::vector<events::Relation> values_;
  std::vector<bool> known_;
};

}  // namespace ambit::eval
