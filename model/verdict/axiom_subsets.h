#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "base/context.h"
#include "model/smt/subset_solver.h"
#include "model/verdict/verdict.h"

namespace ambit::verdict {

/// A set of a model's axioms, stored as bits. Bit i is axiom i.
using AxiomSet = std::uint64_t;

/// Decides whether a program's proposition can be true under a subset of a model's axioms.
class AxiomSubsets {
 public:
  /// The program must have a proposition, and the model must have at most 64 axioms. `context` must outlive the object.
  AxiomSubsets(std::shared_ptr<const events::EventGraph> graph, std::shared_ptr<const rules::Rules> rules,
               Engine engine, Context& context);

  struct Answer {
    /// The answer Impossible also means that no loop can exceed the bound.
    events::Possibility possibility = events::Possibility::Unknown;
    /// If Possible: an execution in which the proposition is true. If Unknown because of the loop bound: an execution
    /// that reaches the bound.
    std::optional<events::Execution> witness;
    /// If the solver answered Impossible: a subset of the axioms that is enough for this. A smaller one may exist.
    std::optional<AxiomSet> used;
  };
  /// Decides the question for `axioms`. Checks the witness; a wrong witness throws InternalError.
  Answer query(AxiomSet axioms);

 private:
  events::Answers query_engine(const rules::Rules& fewer, AxiomSet axioms);
  AxiomSet used() const;

  std::shared_ptr<const events::EventGraph> graph_;
  std::shared_ptr<const rules::Rules> rules_;
  Engine engine_;
  Context& context_;
  std::unique_ptr<smt::SubsetSolver> solver_;  ///< created when first needed
  bool was_enumerated_ = false;                ///< whether the last answer came from enumeration
};

}  // namespace ambit::verdict
