#include "model/smt/solve.h"

#include <new>
#include <string>
#include <utility>

#include "model/smt/interrogation.h"
#include "model/smt/normalize.h"

namespace ambit::smt {
namespace {

events::Answers nothing_known(const events::EventGraph& graph, const rules::Rules& rules, UnknownReason reason,
                              std::string detail) {
  events::Answers answers;
  answers.flags.resize(rules.flags.size());
  answers.incidents.resize(graph.incidents.size());
  answers.unknown = reason;
  answers.unknown_detail = std::move(detail);
  return answers;
}

/// Throws Stopped before anything is known.
events::Answers ask(const events::EventGraph& graph, const rules::Rules& rules, const events::Questions& questions,
                    Context& context, SatSolver& solver) {
  Problem problem(graph, rules, context, solver);
  if (const std::optional<UnknownReason> failed = problem.encode(questions)) {
    return nothing_known(graph, rules, *failed, "a read can return more values than the solver follows");
  }
  events::Answers answers = Interrogation(graph, rules, questions, context, solver, problem).run();
  context.statistics.add("smt.variables", static_cast<double>(problem.literals().variable_count()));
  context.statistics.add("smt.clauses", static_cast<double>(problem.literals().clause_count()));
  return answers;
}

}  // namespace

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
  events::Answers answers;
  try {
    answers = ask(graph, used, questions, context, solver);
  } catch (const Stopped& stopped) {
    answers = nothing_known(graph, rules, stopped.reason, "the program was not encoded in time");
  } catch (const std::bad_alloc&) {
    answers = nothing_known(graph, rules, UnknownReason::Memory, "the encoding of the program takes more");
  }
  solver.end();
  return answers;
}

}  // namespace ambit::smt
