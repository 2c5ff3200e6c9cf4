#pragma once

#include <optional>
#include <span>
#include <vector>

#include "model/events/event_graph.h"
#include "model/rules/rules.h"
#include "model/smt/bounds.h"

namespace ambit::smt {

/// A part t; r; t of a union, where t is an equivalence: it relates all of one class to all of another, or nobody.
struct Lift {
  rules::TermId part;
  rules::TermId classes;  ///< t
};
/// Those of a union; a closure among its parts stands for its argument.
std::vector<Lift> lifts_of(const rules::Rules& rules, Bounds& bounds, rules::TermId term);

/// Takes pairs out of `pairs`, some of those that `term` may have, which its closure does not need. If each event of a
/// class comes before its last one in any case, and the first one of another class before all of that, the pair of
/// these two does for all of a lift: the closure and the cycles of the union are the same. So the order of transactions
/// (docs/transactions.md) has one pair for two transactions. `reach`: pairs that the closure has in any case.
void drop_lifted_pairs(const events::EventGraph& graph, const rules::Rules& rules, Bounds& bounds, rules::TermId term,
                       const events::Relation& reach, events::Relation& pairs);

/// One of `lifts`, those of the argument of the closure `term`, that relates the classes of `a` and `b` one way or the
/// other in every execution in which both are executed, while no cycle of the argument passes through `a` in any
/// execution that meets the axioms of `rules`. Then the closure has (a, b) where that part does. Nothing: the rules and
/// the program do not show it plainly.
std::optional<rules::TermId> lift_that_decides(const events::EventGraph& graph, const rules::Rules& rules,
                                               Bounds& bounds, std::span<const Lift> lifts, rules::TermId term,
                                               events::EventId a, events::EventId b);

}  // namespace ambit::smt
