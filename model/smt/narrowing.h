#pragma once

#include <memory>

#include "core/context.h"
#include "model/rules/rules.h"
#include "model/smt/atomic_cells.h"

namespace ambit::smt {

/// Removes from `candidates` what the axioms of `rules` exclude in every execution, and fixes the coherence order of
/// two writes if the axioms allow only one. A candidate is removed if choosing it certainly violates an axiom: a
/// counter read after a barrier cannot have its value from before. This shrinks everything that follows (domains of
/// values, variables, clauses) and keeps the answers. Valid only if every axiom is required. Returns the bounds of the
/// narrowed candidates. Throws Stopped.
std::unique_ptr<RefinedBounds> narrow(Candidates& candidates, const events::EventGraph& graph,
                                      const rules::Rules& rules, Context& context);

}  // namespace ambit::smt
