#pragma once

#include <memory>

#include "core/context.h"
#include "model/events/execution.h"
#include "model/rules/rules.h"

namespace ambit::smt {

/// Answers questions with a SAT solver; not for use by two threads at once.
class Solver {
 public:
  Solver();
  ~Solver();
  Solver(const Solver&) = delete;
  Solver& operator=(const Solver&) = delete;

  /// Exact for every shipped and user model: least fixed points are least also where used negatively. Questions::count
  /// is not answered here. One solver state serves all questions of a call, by assumptions. `use_symmetry`: of
  /// executions that differ only in threads and blocks that can be exchanged, one is looked at. `known`: answers with
  /// witnesses, which are not looked for again; where the rest is plain from the axioms, nothing is encoded.
  events::Answers solve(const events::EventGraph& graph, const rules::Rules& rules, const events::Questions& questions,
                        Context& context, bool use_symmetry = true, const events::Answers& known = {});

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace ambit::smt
