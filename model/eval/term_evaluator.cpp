#include "model/eval/term_evaluator.h"

#include <utility>

#include "base/assert.h"
#include "model/eval/base.h"

namespace ambit::eval {

using events::Relation;
using rules::TermId;

TermEvaluator::TermEvaluator(const events::EventGraph& graph, const rules::Rules& rules,
                             const events::Execution& execution, Context* context)
    : graph_(graph),
      rules_(rules),
      execution_(execution),
      context_(context),
      values_(rules.terms.size()),
      known_(rules.terms.size(), false) {
  events::evaluate(graph.values, execution.values, nodes_);
}

const Relation& TermEvaluator::value(TermId term) {
  if (!known_[term]) {
    if (context_ != nullptr) context_->poll(10 + graph_.size() * graph_.size() / 50);
    Relation result = std::visit([&](const auto& op) { return apply(op, term); }, rules_.terms[term]);
    values_[term] = std::move(result);
    known_[term] = true;
  }
  return values_[term];
}

void TermEvaluator::fix(TermId variable, Relation value) {
  values_[variable] = std::move(value);
  known_[variable] = true;
}

std::vector<std::vector<Relation>> TermEvaluator::stages(std::uint32_t group) {
  std::vector<std::vector<Relation>> history;
  solve(group, &history);
  return history;
}

Relation TermEvaluator::apply(const rules::BaseSetTerm& op, TermId) {
  return events::identity(concrete_set(graph_.set(op.set), execution_.executed, nodes_));
}

Relation TermEvaluator::apply(const rules::BaseRelationTerm& op, TermId) {
  switch (op.relation) {
    case BaseRelation::ReadsFrom: return reads_from(execution_);
    case BaseRelation::Coherence: return coherence(execution_);
    case BaseRelation::FromReads: return from_reads(execution_);
    default: return concrete_relation(graph_.relation(op.relation), execution_.executed, nodes_);
  }
}

Relation TermEvaluator::apply(const rules::OrderTerm& op, TermId) {
  AMBIT_ASSERT(op.order < execution_.orders.size());
  return total_order(execution_.orders[op.order], graph_.size());
}

Relation TermEvaluator::apply(const rules::FixpointTerm& op, TermId term) {
  solve(rules_.fixpoints[op.fixpoint].group, nullptr);
  return values_[term];
}

Relation TermEvaluator::apply(const rules::Empty&, TermId) { return empty(); }

Relation TermEvaluator::apply(const rules::Union& op, TermId) {
  Relation result = value(op.left);
  result |= value(op.right);
  return result;
}

Relation TermEvaluator::apply(const rules::Intersection& op, TermId) {
  Relation result = value(op.left);
  if (!result.empty()) result &= value(op.right);
  return result;
}

Relation TermEvaluator::apply(const rules::Difference& op, TermId) {
  Relation result = value(op.left);
  if (!result.empty()) result -= value(op.right);
  return result;
}

Relation TermEvaluator::apply(const rules::Complement& op, TermId term) {
  Relation result = rules_.kinds[term] == rules::Kind::Set ? identity_of_executed()
                                                           : events::product(execution_.executed, execution_.executed);
  result -= value(op.argument);
  return result;
}

Relation TermEvaluator::apply(const rules::Sequence& op, TermId) {
  Relation left = value(op.left);
  if (left.empty()) return left;
  return events::compose(left, value(op.right));
}

Relation TermEvaluator::apply(const rules::Inverse& op, TermId) { return events::inverse(value(op.argument)); }

Relation TermEvaluator::apply(const rules::TransitiveClosure& op, TermId) {
  return events::transitive_closure(value(op.argument));
}

Relation TermEvaluator::apply(const rules::Optional& op, TermId) {
  Relation result = value(op.argument);
  result |= identity_of_executed();
  return result;
}

Relation TermEvaluator::apply(const rules::SetIdentity& op, TermId) { return value(op.set); }

Relation TermEvaluator::apply(const rules::Product& op, TermId) {
  const events::EventSet left = as_set(op.left);
  if (left.empty()) return empty();
  return events::product(left, as_set(op.right));
}

Relation TermEvaluator::apply(const rules::Domain& op, TermId) {
  return events::identity(events::domain(value(op.argument)));
}

Relation TermEvaluator::apply(const rules::Range& op, TermId) {
  return events::identity(events::range(value(op.argument)));
}

void TermEvaluator::solve(std::uint32_t group, std::vector<std::vector<Relation>>* history) {
  std::vector<const rules::Fixpoint*> members;
  for (const rules::Fixpoint& fixpoint : rules_.fixpoints) {
    if (fixpoint.group == group) members.push_back(&fixpoint);
  }
  for (const auto* member : members) fix(member->variable, empty());
  const auto record = [&] {
    if (history == nullptr) return;
    history->emplace_back();
    for (const auto* member : members) history->back().push_back(values_[member->variable]);
  };
  record();
  const std::vector<bool> known_before = known_;
  for (bool changed = true; changed;) {
    known_ = known_before;
    std::vector<Relation> next;
    next.reserve(members.size());
    for (const auto* member : members) next.push_back(value(member->body));
    changed = false;
    for (std::size_t i = 0; i < members.size(); ++i) {
      Relation& current = values_[members[i]->variable];
      if (next[i] == current) continue;
      current = std::move(next[i]);
      changed = true;
    }
    if (changed) record();
  }
}

}  // namespace ambit::eval
