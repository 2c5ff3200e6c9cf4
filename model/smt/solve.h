#pragma once

#include <memory>

#include "base/context.h"
#include "model/events/execution.h"
#include "model/rules/rules.h"

namespace ambit::smt {

/// Answers questions with a SAT solver. Two threads must not use one object at the same time.
class Solver {
 public:
  Solver();
  ~Solver();
  Solver(const Solver&) = delete;
  Solver& operator=(const Solver&) = delete;

  /// Answers the questions. The answers are exact for all shipped and user models, also for `let rec` in negative
  /// positions. Does not answer Questions::count. One solver state serves all questions of a call, by means of
  /// assumptions. With `use_symmetry`, omits most executions that differ from others only by an exchange of threads or
  /// blocks. `known` has answers with witnesses, which the solver does not search again. If the remaining answers are
  /// obvious from the axioms, encodes nothing.
  events::Answers solve(const events::EventGraph& graph, const rules::Rules& rules, const events::Questions& questions,
                        Context& context, bool use_symmetry = true, const events::Answers& known = {});

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace ambit::smt
