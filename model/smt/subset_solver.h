#pragma once

#include <memory>
#include <vector>

#include "core/context.h"
#include "model/events/execution.h"
#include "model/rules/rules.h"

namespace ambit::smt {

/// Asks the solver about one program under any subset of a model's axioms. All axioms are encoded once, each under an
/// assumption of its own, and what the solver has learned for one subset serves the others.
class SubsetSolver {
 public:
  /// The references must outlive the object.
  SubsetSolver(const events::EventGraph& graph, const rules::Rules& rules, Context& context);
  ~SubsetSolver();
  SubsetSolver(const SubsetSolver&) = delete;
  SubsetSolver& operator=(const SubsetSolver&) = delete;

  /// Whether the program's proposition can hold (Answers::holds) and the loop bound be reached (Answers::bound) where
  /// the axioms with `wanted[i]` are met.
  events::Answers ask(const std::vector<bool>& wanted);
  /// Where the last answers are Impossible: axioms, of those wanted, because of which they are.
  const std::vector<bool>& used() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace ambit::smt
