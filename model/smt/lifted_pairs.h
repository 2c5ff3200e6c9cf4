#pragma once

#include "model/events/event_graph.h"
#include "model/rules/rules.h"
#include "model/smt/bounds.h"

namespace ambit::smt {

/// Takes pairs out of `pairs`, some of those that `term` may have, which its closure does not need.
///
/// A part t; r; t of a union, where t is an equivalence, relates all of one class to all of another or nobody. If each
/// event of the first class comes before its last one in any case, and the first one of the second before all others,
/// the pair of these two does for all: the closure and the cycles of the union are the same. So the order of
/// transactions (docs/transactions.md) has one pair for two transactions. `reach`: pairs that the closure has in any
/// case.
void drop_lifted_pairs(const events::EventGraph& graph, const rules::Rules& rules, Bounds& bounds, rules::TermId term,
                       const events::Relation& reach, events::Relation& pairs);

}  // namespace ambit::smt
