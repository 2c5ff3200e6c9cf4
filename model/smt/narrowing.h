#pragma once

#include <memory>

#include "core/context.h"
#include "model/rules/rules.h"
#include "model/smt/atomic_cells.h"

namespace ambit::smt {

/// Takes out of `candidates` what the axioms of `rules` exclude in every execution, and fixes the coherence order of
/// two writes where the axioms leave one way only. A candidate goes when an axiom certainly fails as soon as it is
/// chosen: a counter that is read behind a barrier cannot be read as it was before. All that follows (domains of
/// values, variables, clauses) is smaller by it; the answers stay the same. Call only where every axiom is
/// required. Returns the bounds of the narrowed candidates. Throws Stopped.
std::unique_ptr<RefinedBounds> narrow(Candidates& candidates, const events::EventGraph& graph,
                                      const rules::Rules& rules, Context& context);

}  // namespace ambit::smt
