#pragma once

#include <cstdint>
#include <vector>

#include "model/events/execution.h"
#include "model/rules/rules.h"

namespace ambit::eval {

/// Evaluates the terms of a model on one concrete execution by the definition of each operator, one bit matrix a term,
/// each when it is first asked for. A set is held as its identity relation, so that the boolean operators are the same
/// for both kinds. All references must outlive the evaluator.
class TermEvaluator {
 public:
  /// `context`, where it is not null, is polled.
  TermEvaluator(const events::EventGraph& graph, const rules::Rules& rules, const events::Execution& execution,
                Context* context = nullptr);

  /// What `term` denotes. The reference lasts until the next call of `fix`.
  const events::Relation& value(rules::TermId term);

  /// From now on the variable of a `let rec` denotes `value`, whatever its equation says: a step on the way to the
  /// least solution. To be called before any term is asked for.
  void fix(rules::TermId variable, events::Relation value);

  /// The steps by which the variables of group `group` grow from empty (first) to their least solution (last), each
  /// with one relation for every fixed point of the group, in the sequence of Rules::fixpoints.
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

  /// The least solution of a `let rec` group: all variables empty, then the bodies again and again until none changes.
  /// Every term reached is forgotten before each round but those that were known before the group was begun. `history`,
  /// where it is not null, gets the variables' values before the first round and after each.
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
