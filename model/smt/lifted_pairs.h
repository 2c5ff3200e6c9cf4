#pragma once

#include <optional>
#include <span>
#include <vector>

#include "model/events/event_graph.h"
#include "model/rules/rules.h"
#include "model/smt/bounds.h"

namespace ambit::smt {

/// A part t; r; t of a union, where t is an equivalence. It relates all or no events of one class to all events of
/// another class.
struct Lift {
  rules::TermId part;
  rules::TermId classes;  ///< the term t
};
/// Returns the lifts of a union. A closure among the union's parts counts as its argument.
std::vector<Lift> lifts_of(const rules::Rules& rules, Bounds& bounds, rules::TermId term);

/// Removes pairs from `pairs`, a subset of those that `term` may have, that its closure does not need. Suppose that
/// each event of a class certainly comes before the last event of the class, and the first event of another class
/// certainly before the rest of that class. Then the pair of these two represents all pairs of a lift: the closure and
/// the cycles of the union stay the same. So the order of transactions (docs/reference/transactions.md) has one pair
/// for two transactions. `reach`: pairs that the closure certainly has.
void drop_lifted_pairs(const events::EventGraph& graph, const rules::Rules& rules, Bounds& bounds, rules::TermId term,
                       const events::Relation& reach, events::Relation& pairs);

/// `lifts` are the lifts of the argument of the closure `term`. Returns a lift that relates the classes of `a` and `b`,
/// in one direction or the other, in all executions in which both events are executed. In addition, no cycle of the
/// argument may pass through `a` in any execution that meets the axioms of `rules`. Under these conditions, the closure
/// has (a, b) if and only if the lift has it. Returns nothing if the rules and the program do not show this directly.
std::optional<rules::TermId> lift_that_decides(const events::EventGraph& graph, const rules::Rules& rules,
                                               Bounds& bounds, std::span<const Lift> lifts, rules::TermId term,
                                               events::EventId a, events::EventId b);

}  // namespace ambit::smt
