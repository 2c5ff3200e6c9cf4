#include "model/eval/evaluator.h"

#include <algorithm>

#include "base/assert.h"
#include "model/eval/term_evaluator.h"

namespace ambit::eval {
namespace {

using events::EventId;
using events::Relation;
using rules::TermId;

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
      result = relation;
      result &= events::inverse(events::transitive_closure(relation));
      return result;
    }
  }
  AMBIT_ASSERT(false);
  return result;
}

namespace {

std::vector<bool> axioms_that_hold(const rules::Rules& rules, TermEvaluator& evaluator) {
  std::vector<bool> result;
  for (const rules::Axiom& axiom : rules.axioms) {
    const auto* closure = std::get_if<rules::TransitiveClosure>(&rules.terms[axiom.term]);
    const bool is_about_cycles =
        axiom.test != rules::Test::Empty && closure != nullptr;  // r+ relates an event to itself iff r has a cycle
    const rules::Test test = is_about_cycles ? rules::Test::Acyclic : axiom.test;
    const TermId term = is_about_cycles ? closure->argument : axiom.term;
    result.push_back(test_holds(test, axiom.negated, evaluator.value(term)));
  }
  return result;
}

}  // namespace

std::vector<bool> evaluate_axioms(const events::EventGraph& graph, const rules::Rules& rules,
                                  const events::Execution& execution, Context* context) {
  TermEvaluator evaluator(graph, rules, execution, context);
  return axioms_that_hold(rules, evaluator);
}

Evaluation evaluate(const events::EventGraph& graph, const rules::Rules& rules, const events::Execution& execution,
                    Context* context) {
  TermEvaluator evaluator(graph, rules, execution, context);
  Evaluation result;
  result.axioms = axioms_that_hold(rules, evaluator);
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
