#include "model/eval/evaluator.h"

#include <algorithm>

#include "core/assert.h"
#include "model/eval/base.h"

namespace ambit::eval {
namespace {

using events::EventId;
using events::EventSet;
using events::Relation;
using rules::TermId;

/// Evaluates terms by the definition of each operator, one bit matrix a term. A set is held as its identity relation,
/// so that the boolean operators are the same for both kinds.
class TermEvaluator {
 public:
  TermEvaluator(const events::EventGraph& graph, const rules::Rules& rules, const events::Execution& execution)
      : graph_(graph),
        rules_(rules),
        execution_(execution),
        values_(rules.terms.size()),
        known_(rules.terms.size(), false) {
    events::evaluate(graph.values, execution.values, nodes_);
  }

  const Relation& value(TermId term) {
    if (!known_[term]) {
      Relation result = std::visit([&](const auto& op) { return apply(op, term); }, rules_.terms[term]);
      values_[term] = std::move(result);
      known_[term] = true;
    }
    return values_[term];
  }

 private:
  Relation empty() const { return Relation(graph_.size()); }
  Relation identity_of_executed() const { return events::identity(execution_.executed); }
  EventSet as_set(TermId term) { return events::domain(value(term)); }

  Relation apply(const rules::BaseSetTerm& op, TermId) {
    return events::identity(concrete_set(graph_.set(op.set), execution_.executed, nodes_));
  }
  Relation apply(const rules::BaseRelationTerm& op, TermId) {
    switch (op.relation) {
      case BaseRelation::ReadsFrom: return reads_from(execution_);
      case BaseRelation::Coherence: return coherence(execution_);
      case BaseRelation::FromReads: return from_reads(execution_);
      default: return concrete_relation(graph_.relation(op.relation), execution_.executed, nodes_);
    }
  }
  Relation apply(const rules::OrderTerm& op, TermId) {
    AMBIT_ASSERT(op.order < execution_.orders.size());
    return total_order(execution_.orders[op.order], graph_.size());
  }
  Relation apply(const rules::FixpointTerm& op, TermId term) {
    solve(rules_.fixpoints[op.fixpoint].group);
    return values_[term];
  }
  Relation apply(const rules::Empty&, TermId) { return empty(); }
  Relation apply(const rules::Union& op, TermId) {
    Relation result = value(op.left);
    result |= value(op.right);
    return result;
  }
  Relation apply(const rules::Intersection& op, TermId) {
    Relation result = value(op.left);
    result &= value(op.right);
    return result;
  }
  Relation apply(const rules::Difference& op, TermId) {
    Relation result = value(op.left);
    result -= value(op.right);
    return result;
  }
  Relation apply(const rules::Complement& op, TermId term) {
    Relation result = rules_.kinds[term] == rules::Kind::Set
                          ? identity_of_executed()
                          : events::product(execution_.executed, execution_.executed);
    result -= value(op.argument);
    return result;
  }
  Relation apply(const rules::Sequence& op, TermId) {
    value(op.left);  // both before either is referred to
    return events::compose(Relation(value(op.left)), value(op.right));
  }
  Relation apply(const rules::Inverse& op, TermId) { return events::inverse(value(op.argument)); }
  Relation apply(const rules::TransitiveClosure& op, TermId) { return events::transitive_closure(value(op.argument)); }
  Relation apply(const rules::Optional& op, TermId) {
    Relation result = value(op.argument);
    result |= identity_of_executed();
    return result;
  }
  Relation apply(const rules::SetIdentity& op, TermId) { return value(op.set); }
  Relation apply(const rules::Product& op, TermId) {
    const EventSet left = as_set(op.left);
    return events::product(left, as_set(op.right));
  }
  Relation apply(const rules::Domain& op, TermId) { return events::identity(events::domain(value(op.argument))); }
  Relation apply(const rules::Range& op, TermId) { return events::identity(events::range(value(op.argument))); }

  /// The least solution of a `let rec` group: all variables empty, then the bodies again and again until none changes.
  /// Every term reached is forgotten before each round but those that were known before the group was begun.
  void solve(std::uint32_t group) {
    std::vector<const rules::Fixpoint*> members;
    for (const rules::Fixpoint& fixpoint : rules_.fixpoints) {
      if (fixpoint.group == group) members.push_back(&fixpoint);
    }
    for (const auto* member : members) {
      values_[member->variable] = empty();
      known_[member->variable] = true;
    }
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
    }
  }

  const events::EventGraph& graph_;
  const rules::Rules& rules_;
  const events::Execution& execution_;
  std::vector<Value> nodes_;
  std::vector<Relation> values_;
  std::vector<bool> known_;
};

bool test_holds(rules::Test test, bool negated, const Relation& relation) {
  switch (test) {
    case rules::Test::Acyclic: return events::is_acyclic(relation) != negated;
    case rules::Test::Irreflexive: return events::is_irreflexive(relation) != negated;
    case rules::Test::Empty: return relation.empty() != negated;
  }
  AMBIT_ASSERT(false);
  return false;
}

}  // namespace

bool Evaluation::allowed() const {
  return std::all_of(axioms.begin(), axioms.end(), [](bool holds) { return holds; });
}

Relation reported_pairs(const rules::Flag& flag, const Relation& relation) {
  Relation result(relation.size());
  if (!flag.negated) return result;
  switch (flag.test) {
    case rules::Test::Empty: return relation;
    case rules::Test::Irreflexive:
      for (EventId e = 0; e < relation.size(); ++e) {
        if (relation.contains(e, e)) result.insert(e, e);
      }
      return result;
    case rules::Test::Acyclic: {
      const std::vector<EventId> cycle = events::find_cycle(relation);
      for (std::size_t i = 0; i < cycle.size(); ++i) result.insert(cycle[i], cycle[(i + 1) % cycle.size()]);
      return result;
    }
  }
  AMBIT_ASSERT(false);
  return result;
}

Evaluation evaluate(const events::EventGraph& graph, const rules::Rules& rules, const events::Execution& execution) {
  TermEvaluator evaluator(graph, rules, execution);
  Evaluation result;
  for (const rules::Axiom& axiom : rules.axioms) {
    result.axioms.push_back(test_holds(axiom.test, axiom.negated, evaluator.value(axiom.term)));
  }
  for (const rules::Flag& flag : rules.flags) {
    const Relation& relation = evaluator.value(flag.term);
    const bool raised = test_holds(flag.test, flag.negated, relation);
    result.flags.push_back(raised);
    result.flag_pairs.push_back(raised ? reported_pairs(flag, relation) : Relation(graph.size()));
  }
  return result;
}

Relation evaluate_term(const events::EventGraph& graph, const rules::Rules& rules, const events::Execution& execution,
                       TermId term) {
  return TermEvaluator(graph, rules, execution).value(term);
}

}  // namespace ambit::eval
