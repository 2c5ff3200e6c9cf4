#pragma once

#include <memory>

#include "base/context.h"
#include "model/rules/rules.h"
#include "model/smt/atomic_cells.h"

namespace ambit::smt {

/// Removes from `candidates` choices that certainly violate an axiom of `rules`. Fixes the coherence
/// order of two writes if the axioms allow only one order. For example, a read of a counter after a
/// barrier cannot return the value of a write that was overwritten before the barrier. Narrowing makes
/// all later parts smaller (domains of values, variables, clauses) and does not change the answers.
/// Narrowing is valid only if all axioms are required. Returns the bounds of the narrowed candidates.
/// Throws Stopped.
std::unique_ptr<RefinedBounds> narrow(Candidates& candidates, const events::EventGraph& graph,
                                      const rules::Rules& rules, Context& context);

}  // namespace ambit::smt
