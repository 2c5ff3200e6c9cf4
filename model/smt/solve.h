#pragma once

#include <memory>

#include "core/context.h"
#include "model/events/execution.h"
#include "model/rules/rules.h"

namespace ambit::smt {

/// Answers questions with a SAT solver; not to be used by two threads at once.
class Solver {
 public:
  Solver();
  ~Solver();
  Solver(const Solver&) = delete;
  Solver& operator=(const Solver&) = delete;

  /// Exact for every shipped and user model: least fixed points are least even in negative positions. Does not answer
  /// Questions::count. One solver state serves all questions of a call, by assumptions. `use_symmetry`: examines one of
  /// the executions that differ only in exchangeable threads and blocks. `known`: answers with witnesses, which are not
  /// sought again. If the axioms make the remaining answers obvious, nothing is encoded.
  events::Answers solve(const events::EventGraph& graph, const rules::Rules& rules, const events::Questions& questions,
                        Context& context, bool use_symmetry = true, const events::Answers& known = {});

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace ambit::smt
