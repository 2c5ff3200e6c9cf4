#include "model/solver/sat_solver.h"

#include <fmt/format.h>

#include <algorithm>
#include <cadical.hpp>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "base/assert.h"

namespace ambit::solver {
namespace {

/// The estimated work between two polls of CaDiCaL, in the units of Context::should_stop.
constexpr std::uint64_t kWorkBetweenQuestions = 200;
constexpr int kConflictsOfGlance = 20000;

/// Ends the solver's search at a limit of the context.
class Limits : public CaDiCaL::Terminator {
 public:
  explicit Limits(Context& context) : context_(context) {}
  bool terminate() override {
    if (!stopped_) stopped_ = context_.should_stop(kWorkBetweenQuestions);
    return stopped_.has_value();
  }
  std::optional<UnknownReason> stopped() const { return stopped_; }

 private:
  Context& context_;
  std::optional<UnknownReason> stopped_;
};

}  // namespace

struct SatSolver::State {
  explicit State(Context& context) : limits(context), keeps_clauses(!context.dump_directory.empty()) {
    // Most variables represent alternatives, and exactly one alternative is true. So the solver finds a solution sooner
    // if it first tries the value false.
    solver.set("quiet", 1);
    solver.set("phase", 0);
    solver.connect_terminator(&limits);
  }
  ~State() { solver.disconnect_terminator(); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  /// Returns the solver's number for the literal. The solver's variables get numbers at their first occurrence, because
  /// many literals never reach the solver.
  int number_of(Lit literal) {
    const auto v = static_cast<std::size_t>(literal < 0 ? -literal : literal);
    if (v >= numbers.size()) numbers.resize(std::max(v + 1, 2 * numbers.size()), 0);
    if (numbers[v] == 0) numbers[v] = ++last_number;
    return literal < 0 ? -numbers[v] : numbers[v];
  }

  Answer solve(std::span<const Lit> assumptions) {
    for (const Lit l : assumptions) solver.assume(number_of(l));
    switch (solver.solve()) {
      case 10: return Answer::Satisfiable;
      case 20: return Answer::Unsatisfiable;
      default: return Answer::Unknown;
    }
  }

  Limits limits;
  CaDiCaL::Solver solver;
  std::vector<int> numbers;  ///< for each variable, the solver's number; 0 if the variable never reached the solver
  int last_number = 0;
  bool keeps_clauses;
  std::vector<std::vector<Lit>> clauses;  ///< clauses, kept for to_smt2
};

SatSolver::SatSolver() = default;
SatSolver::~SatSolver() = default;

void SatSolver::begin(Context& context) { state_ = std::make_unique<State>(context); }

void SatSolver::end() { state_.reset(); }

void SatSolver::add_clause(std::span<const Lit> clause) {
  AMBIT_ASSERT(state_ != nullptr);
  for (const Lit l : clause) state_->solver.add(state_->number_of(l));
  state_->solver.add(0);
  if (state_->keeps_clauses) state_->clauses.emplace_back(clause.begin(), clause.end());
}

SatSolver::Answer SatSolver::glance(std::span<const Lit> assumptions) {
  AMBIT_ASSERT(state_ != nullptr);
  state_->solver.limit("conflicts", kConflictsOfGlance);  // the limit applies only to the next search
  return state_->solve(assumptions);
}

SatSolver::Answer SatSolver::check(std::span<const Lit> assumptions) {
  AMBIT_ASSERT(state_ != nullptr);
  return state_->solve(assumptions);
}

std::vector<Lit> SatSolver::used_assumptions(std::span<const Lit> assumptions) {
  std::vector<Lit> result;
  std::ranges::copy_if(assumptions, std::back_inserter(result),
                       [&](Lit l) { return state_->solver.failed(state_->number_of(l)); });
  return result;
}

UnknownReason SatSolver::unknown_reason() const { return state_->limits.stopped().value_or(UnknownReason::Memory); }

void SatSolver::read_model(std::span<const Lit> variables, std::vector<bool>& values) {
  for (const Lit variable : variables) {
    const auto v = static_cast<std::size_t>(variable);
    if (v >= state_->numbers.size() || state_->numbers[v] == 0) continue;
    values[v] = state_->solver.val(state_->numbers[v]) > 0;
  }
}

std::string SatSolver::to_smt2(std::span<const Lit> assumptions) const {
  std::string text = "(set-logic QF_UF)\n";
  for (std::size_t v = 0; v < state_->numbers.size(); ++v) {
    if (state_->numbers[v] != 0) text += fmt::format("(declare-const k!{} Bool)\n", v);
  }
  const auto word = [](Lit l) { return l < 0 ? fmt::format("(not k!{})", -l) : fmt::format("k!{}", l); };
  for (const std::vector<Lit>& clause : state_->clauses) {
    if (clause.empty()) {
      text += "(assert false)\n";
      continue;
    }
    std::string words;
    for (const Lit l : clause) words += " " + word(l);
    text += clause.size() == 1 ? fmt::format("(assert{})\n", words) : fmt::format("(assert (or{}))\n", words);
  }
  for (const Lit l : assumptions) text += fmt::format("(assert {})\n", word(l));
  return text + "(check-sat)\n";
}

}  // namespace ambit::solver
