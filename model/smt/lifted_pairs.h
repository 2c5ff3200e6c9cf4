#pragma once

#include <optional>
#include <span>
#include <vector>

#include "model/events/event_graph.h"
#include "model/rules/rules.h"
#include "model/smt/bounds.h"

namespace ambit::smt {

/// A part t; r; t of a union, in which t is an equivalence. For two classes of t, the part relates either all events of
/// one class to all events of the other class, or none.
struct Lift {
  rules::TermId part;
  rules::TermId classes;  ///< the term t
};
/// Returns the lifts of a union. A closure among the union's parts counts as its argument.
std::vector<Lift> lifts_of(const rules::Rules& rules, Bounds& bounds, rules::TermId term);

/// `pairs` is a subset of the possible pairs of `term`. Removes pairs that are unnecessary for the closure of `term`.
/// Suppose that the last event of a class certainly comes after all others of the class, and the first event of another
/// class before all others of that class. Then the pair of these two events can represent all pairs of a lift, because
/// the closure and the cycles of the union remain the same. So the order of two transactions
/// (docs/reference/transactions.md) needs only one pair. `reach` has the pairs that the closure certainly contains.
void drop_lifted_pairs(const events::EventGraph& graph, const rules::Rules& rules, Bounds& bounds, rules::TermId term,
                       const events::Relation& reach, events::Relation& pairs);

/// `lifts` are the lifts of the argument of the closure `term`. Returns a lift that contains (a, b) iff the closure
/// does. This requires that the lift relates the classes of `a` and `b` in one direction or the other in all executions
/// with both events, and that the axioms of `rules` forbid all cycles of the argument through `a`. Returns nothing if
/// the rules and the program do not show this directly.
std::optional<rules::TermId> lift_that_decides(const events::EventGraph& graph, const rules::Rules& rules,
                                               Bounds& bounds, std::span<const Lift> lifts, rules::TermId term,
                                               events::EventId a, events::EventId b);

}  // namespace ambit::smt
