#include "model/smt/solve.h"

#include "model/events/symmetry.h"
#include "model/smt/interrogation.h"
#include "model/smt/normalize.h"

namespace ambit::smt {

namespace {

events::Looked looked_at(const rules::Rules& rules) {
  events::Looked result;
  for (const rules::Term& term : rules.terms) {
    if (const auto* set = std::get_if<rules::BaseSetTerm>(&term)) {
      result.sets.set(static_cast<std::size_t>(set->set));
    } else if (const auto* relation = std::get_if<rules::BaseRelationTerm>(&term)) {
      result.relations.set(static_cast<std::size_t>(relation->relation));
    }
  }
  return result;
}

}  // namespace

struct Solver::State {
  SatSolver solver;
};

Solver::Solver() : state_(std::make_unique<State>()) {}
Solver::~Solver() = default;

events::Answers Solver::solve(const events::EventGraph& graph, const rules::Rules& rules,
                              const events::Questions& questions, Context& context,
                              bool use_symmetry) {
  const std::optional<rules::Rules> rewritten = normalized(rules);
  const rules::Rules& used = rewritten ? *rewritten : rules;
  SatSolver& solver = state_->solver;
  solver.begin(context);
  const events::Symmetry symmetry =
      use_symmetry ? events::Symmetry::find(graph, looked_at(used)) : events::Symmetry();
  Problem problem(graph, used, context, solver, Problem::Axioms::Required, symmetry);
  events::Answers answers;
  if (const std::optional<UnknownReason> failed = problem.encode(questions)) {
    answers.flags.resize(rules.flags.size());
    answers.incidents.resize(graph.incidents.size());
    answers.unknown = failed;
    answers.unknown_detail = *failed == UnknownReason::Values ? "a read can return more values than the solver follows"
                                                              : "the program was not encoded in time";
  } else {
    answers = Interrogation(graph, used, questions, context, solver, problem).run();
  }
  context.statistics.add("smt.variables", static_cast<double>(problem.literals().variable_count()));
  context.statistics.add("smt.clauses", static_cast<double>(problem.literals().clause_count()));
  solver.end();
  return answers;
}

}  // namespace ambit::smt
