#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/context.h"
#include "model/solver/literals.h"

namespace ambit::solver {

/// A propositional solver: the one place that knows CaDiCaL.
///
/// Each problem gets a solver of its own: which of several models a solver finds depends on the problems before, and
/// answers must not depend on what a thread happened to do. Making and freeing one takes 25 microseconds
/// (CaDiCaL 1.5.3; Z3 4.8.12 took 300).
class SatSolver : public ClauseSink {
 public:
  enum class Answer : std::uint8_t { Satisfiable, Unsatisfiable, Unknown };

  SatSolver();
  ~SatSolver() override;
  SatSolver(const SatSolver&) = delete;
  SatSolver& operator=(const SatSolver&) = delete;

  /// Forgets the problem before and starts an empty one under the limits of `context`, which must outlive it.
  void begin(Context& context);
  /// Ends the problem: releases its clauses and stops looking at the context.
  void end();
  void add_clause(std::span<const Lit> clause) override;
  /// Stops early when the context's time, memory or patience is over; then unknown_reason() says which.
  Answer check(std::span<const Lit> assumptions);
  /// The same, given up after a number of conflicts that takes some seconds where nothing is simple, the same on every
  /// machine; then Unknown, and other checks may follow.
  Answer glance(std::span<const Lit> assumptions);
  /// Those of the last check's assumptions from which the solver saw that there is no solution; the smallest such set
  /// is not looked for. To be called after Answer::Unsatisfiable only.
  std::vector<Lit> used_assumptions(std::span<const Lit> assumptions);
  UnknownReason unknown_reason() const;
  /// Values of the variables in `variables` in the model of the last check, which was satisfiable, into
  /// values[variable]. A variable that the solver never saw is false.
  void read_model(std::span<const Lit> variables, std::vector<bool>& values);
  /// The problem with the assumptions as assertions, in SMT-LIB 2. The clauses are kept for it only where the context
  /// of begin() names a folder for queries; elsewhere the text has none.
  std::string to_smt2(std::span<const Lit> assumptions) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace ambit::solver
