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

  /// Answers the questions. The answers are exact for all shipped models and user models, even if a model has `let rec`
  /// in negative positions. Does not answer Questions::count. Assumptions let one solver state answer all questions of
  /// a call. With `use_symmetry`, most executions that differ from other executions only by an exchange of threads or
  /// blocks are omitted. The solver does not search again for answers that have witnesses in `known`. If the remaining
  /// answers are obvious from the axioms, nothing is encoded.
  events::Answers solve(const events::EventGraph& graph, const rules::Rules& rules, const events::Questions& questions,
                        Context& context, bool use_symmetry = true, const events::Answers& known = {});

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace ambit::smt
