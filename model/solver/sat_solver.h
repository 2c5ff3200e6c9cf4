#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/context.h"
#include "model/solver/literals.h"

namespace ambit::solver {

/// A propositional solver. A SAT solver. Only this class uses CaDiCaL.
///
/// Each problem has a new solver. If a problem has several solutions, a reused solver's choice would depend on earlier
/// problems. But answers must not depend on a thread's earlier work. The creation and destruction of a solver takes 25
/// microseconds (CaDiCaL 1.5.3; Z3 4.8.12 took 300).
class SatSolver : public ClauseSink {
 public:
  enum class Answer : std::uint8_t { Satisfiable, Unsatisfiable, Unknown };

  SatSolver();
  ~SatSolver() override;
  SatSolver(const SatSolver&) = delete;
  SatSolver& operator=(const SatSolver&) = delete;

  /// Discards the previous problem and starts an empty problem under the limits of `context`. The context must outlive
  /// the problem.
  void begin(Context& context);
  /// Ends the problem: releases its clauses and stops polling the context.
  void end();
  void add_clause(std::span<const Lit> clause) override;
  /// Solves the problem. Stops early at a limit of the context; unknown_reason() then returns the reason.
  Answer check(std::span<const Lit> assumptions);
  /// Like check(), but gives up after a fixed number of conflicts, which is the same on all machines. On hard problems,
  /// this takes some seconds. If the solver gives up, the answer is Unknown, and other checks may follow.
  Answer glance(std::span<const Lit> assumptions);
  /// Returns the assumptions that the solver used to prove, in the last check, that no solution exists. A smaller set
  /// may be enough. Must be called only after Answer::Unsatisfiable.
  std::vector<Lit> used_assumptions(std::span<const Lit> assumptions);
  UnknownReason unknown_reason() const;
  /// Takes the values of `variables` from the solution of the last check, and stores them in values[variable]. The
  /// result of this check must be Satisfiable. A variable that never reached the solver is false.
  void read_model(std::span<const Lit> variables, std::vector<bool>& values);
  /// Returns the problem in SMT-LIB 2, with the assumptions as assertions. The clauses are kept only if the context of
  /// begin() has a folder for queries; otherwise the text has no clauses.
  std::string to_smt2(std::span<const Lit> assumptions) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace ambit::solver
