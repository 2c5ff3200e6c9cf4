#pragma once

#include <optional>
#include <span>
#include <vector>

#include "model/events/event_graph.h"
#include "model/rules/rules.h"
#include "model/smt/bounds.h"

namespace ambit::smt {

/// A part t; r; t of a union, in which t is an equivalence relation. For two classes of t, the part relates either all
/// events of one class to all events of the other class, or no events.
struct Lift {
  rules::TermId part;
  rules::TermId classes;  ///< the term t
};
/// Returns the lifts of a union. A closure among the union's parts is replaced by its argument.
std::vector<Lift> lifts_of(const rules::Rules& rules, Bounds& bounds, rules::TermId term);

/// `pairs` is a subset of the possible pairs of `term`. Removes pairs that are unnecessary for the closure of `term`.
/// Suppose that one event certainly comes last in its class, and one event certainly comes first in another class. Then
/// the pair of these two events can represent all pairs of a lift, because the closure and the cycles of the union do
/// not change. So the order of two transactions (docs/reference/transactions.md) needs only one pair. `reach` contains
/// the pairs that the closure certainly contains.
void drop_lifted_pairs(const events::EventGraph& graph, const rules::Rules& rules, Bounds& bounds, rules::TermId term,
                       const events::Relation& reach, events::Relation& pairs);

/// `lifts` are the lifts of the argument of the closure `term`. Returns a lift that contains (a, b) iff the closure
/// contains (a, b). Two conditions must be met: in all executions with both events, the lift relates the classes of `a`
/// and `b` in at least one direction; and the axioms of `rules` forbid all cycles of the argument through `a`. Returns
/// nothing if the rules and the program do not directly show that they are met.
std::optional<rules::TermId> lift_that_decides(const events::EventGraph& graph, const rules::Rules& rules,
                                               Bounds& bounds, std::span<const Lift> lifts, rules::TermId term,
                                               events::EventId a, events::EventId b);

}  // namespace ambit::smt
