#include "model/smt/subset_solver.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "model/smt/interrogation.h"
#include "model/smt/normalize.h"

namespace ambit::smt {
namespace {

constexpr events::Questions kQuestions = {.flags = false, .incidents = false, .holds_only = true};

}  // namespace

struct SubsetSolver::State {
  State(const events::EventGraph& program, const rules::Rules& model, Context& limits)
      : graph(program), rewritten(normalized(model)), rules(rewritten ? *rewritten : model), context(limits) {
    solver.begin(context);
    try {
      problem.emplace(graph, rules, context, solver, Problem::Axioms::Guarded);
      failed = problem->encode(kQuestions);
    } catch (const Stopped& stopped) {
      failed = stopped.reason;
    }
  }

  const events::EventGraph& graph;
  std::optional<rules::Rules> rewritten;
  const rules::Rules& rules;
  Context& context;
  SatSolver solver;
  std::optional<Problem> problem;
  std::optional<UnknownReason> failed;
  std::vector<bool> used;
};

SubsetSolver::SubsetSolver(const events::EventGraph& graph, const rules::Rules& rules, Context& context)
    : state_(std::make_unique<State>(graph, rules, context)) {}
SubsetSolver::~SubsetSolver() = default;

events::Answers SubsetSolver::query(const std::vector<bool>& wanted) {
  State& s = *state_;
  if (s.failed) {
    events::Answers answers;
    answers.unknown = s.failed;
    return answers;
  }
  std::vector<Lit> given;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i]) given.push_back(s.problem->guards[i]);
  }
  Interrogation interrogation(s.graph, s.rules, kQuestions, s.context, s.solver, *s.problem, std::move(given));
  events::Answers answers = interrogation.run();
  s.failed = answers.unknown;  // some clauses may be missing in the solver
  s.used.assign(wanted.size(), false);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    s.used[i] = std::ranges::find(interrogation.used(), s.problem->guards[i]) != interrogation.used().end();
  }
  return answers;
}

const std::vector<bool>& SubsetSolver::used() const { return state_->used; }

}  // namespace ambit::smt
