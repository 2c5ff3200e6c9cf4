#include "model/smt/solve.h"

#include "model/smt/interrogation.h"
#include "model/smt/normalize.h"

namespace ambit::smt {

struct Solver::State {
  SatSolver solver;
};

Solver::Solver() : state_(std::make_unique<State>()) {}
Solver::~Solver() = default;

events::Answers Solver::solve(const events::EventGraph& graph, const rules::Rules& rules,
                              const events::Questions& questions, Context& context) {
  const std::optional<rules::Rules> rewritten = normalized(rules);
  const rules::Rules& used = rewritten ? *rewritten : rules;
  SatSolver& solver = state_->solver;
  solver.begin(context);
  Problem problem(graph, used, context, solver);
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
