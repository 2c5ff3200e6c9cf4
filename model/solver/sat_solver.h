#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/context.h"
#include "model/solver/literals.h"

namespace ambit::solver {

/// A propositional solver, alive over many problems: the one place that knows Z3.
///
/// Measured with Z3 4.8.12 (orders of 6 to 24 events): the solver for QF_BV is its bare SAT solver behind a thin
/// wrapper and answers 1.3 to 2.3 times faster than the one for QF_FD, 2 to 6 times faster than the "simple" SMT
/// solver. Creating it takes 0.25 ms; yet each problem gets its own, because which of several models a solver finds
/// depends on the problems before, and answers must not depend on what a thread happened to do. The context serves all.
class SatSolver : public ClauseSink {
 public:
  enum class Answer : std::uint8_t { Satisfiable, Unsatisfiable, Unknown };

  SatSolver();
  ~SatSolver() override;
  SatSolver(const SatSolver&) = delete;
  SatSolver& operator=(const SatSolver&) = delete;

  /// Forgets the problem before and starts an empty one under the limits of `context`, which must outlive it.
  void begin(Context& context);
  /// Ends the problem: releases its clauses and stops looking at the context. If the context was cancelled the clauses
  /// stay until the next problem begins or the solver is destroyed.
  void end();
  void add_clause(std::span<const Lit> clause) override;
  /// Stops early when the context's time, memory or patience is over; then unknown_reason() says which.
  Answer check(std::span<const Lit> assumptions);
  /// The same, given up after so many steps of the solver, which it counts alike on every machine; then Unknown, and
  /// other checks may follow.
  Answer glance(std::span<const Lit> assumptions, unsigned most_steps);
  /// Those of the last check's assumptions from which Z3 saw that there is no solution; the smallest such set is not
  /// looked for. To be called after Answer::Unsatisfiable only.
  std::vector<Lit> used_assumptions(std::span<const Lit> assumptions);
  UnknownReason unknown_reason() const;
  /// Values of the variables in `variables` in the model of the last check, which was satisfiable, into
  /// values[variable]. A variable that the solver never saw is false.
  void read_model(std::span<const Lit> variables, std::vector<bool>& values);
  /// The problem with the assumptions as assertions, in SMT-LIB 2.
  std::string to_smt2(std::span<const Lit> assumptions);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace ambit::solver
