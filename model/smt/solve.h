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

  /// Answers the questions. The answers are exact for all shipped and user models: least fixed points are least even in
  /// negative positions. Does not answer Questions::count. One solver state serves all questions of a call, by means of
  /// assumptions. With `use_symmetry`, examines one of the executions that differ only in exchangeable threads and
  /// blocks. `known` has answers with witnesses, which the solver does not seek again. If the axioms make the remaining
  /// answers obvious, nothing is encoded.
  events::Answers solve(const events::EventGraph& graph, const rules::Rules& rules, const events::Questions& questions,
                        Context& context, bool use_symmetry = true, const events::Answers& known = {});

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace ambit::smt
