#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "core/context.h"
#include "model/smt/subset_solver.h"
#include "model/verdict/verdict.h"

namespace ambit::verdict {

/// Axioms of a model by number, as bits.
using AxiomSet = std::uint64_t;

/// Asks whether a program's proposition can be met under some of a model's axioms only.
class AxiomSubsets {
 public:
  /// The program must have a proposition, the model at most 64 axioms; `context` must outlive the object.
  AxiomSubsets(std::shared_ptr<const events::EventGraph> graph, std::shared_ptr<const rules::Rules> rules,
               Engine engine, Context& context);

  struct Answer {
    /// Impossible only where no loop can run past the bound either.
    events::Possibility possibility = events::Possibility::Unknown;
    /// Possible: an execution with the proposition. Unknown: one that reaches the loop bound, if that is why.
    std::optional<events::Execution> witness;
    /// Impossible, and the solver was asked: axioms, of those asked about, that are enough; not always the fewest.
    std::optional<AxiomSet> used;
  };
  /// The witness has been evaluated once more: a wrong one is an InternalError.
  Answer ask(AxiomSet axioms);

 private:
  events::Answers ask_engine(const rules::Rules& fewer, AxiomSet axioms);
  AxiomSet used() const;

  std::shared_ptr<const events::EventGraph> graph_;
  std::shared_ptr<const rules::Rules> rules_;
  Engine engine_;
  Context& context_;
  std::unique_ptr<smt::SubsetSolver> solver_;  ///< once it is needed
  bool was_enumerated_ = false;                ///< the last answer
};

}  // namespace ambit::verdict
