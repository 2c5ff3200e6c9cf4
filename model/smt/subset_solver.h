#pragma once

#include <memory>
#include <vector>

#include "base/context.h"
#include "model/events/execution.h"
#include "model/rules/rules.h"

namespace ambit::smt {

/// Solves one program under any subset of a model's axioms. All axioms are encoded once, each under its own assumption,
/// so that all subsets can use the clauses learned for one subset.
class SubsetSolver {
 public:
  /// The references must outlive the object.
  SubsetSolver(const events::EventGraph& graph, const rules::Rules& rules, Context& context);
  ~SubsetSolver();
  SubsetSolver(const SubsetSolver&) = delete;
  SubsetSolver& operator=(const SubsetSolver&) = delete;

  /// Returns whether the program's proposition can be true (Answers::holds) and whether the loop bound can be reached
  /// (Answers::bound). Requires axiom i if `wanted[i]` is true.
  events::Answers query(const std::vector<bool>& wanted);
  /// Returns a subset of the wanted axioms that is enough for the last answers, if these answers were Impossible.
  const std::vector<bool>& used() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace ambit::smt
