#pragma once

#include <vector>

#include "base/context.h"
#include "model/rules/rules.h"
#include "model/smt/bounds.h"

namespace ambit::smt {

/// Returns whether the term is the base relation itself.
bool is_base(const rules::Rules& rules, rules::TermId term, BaseRelation base);

/// Returns whether the term is rf | co | fr.
bool is_communication(const rules::Rules& rules, rules::TermId term);

/// Returns whether `term` contains (a, b) in all executions in which both events are executed and `base` (rf or co)
/// contains (a, b). Returns false if the rules do not show this directly.
bool holds_with(const rules::Rules& rules, Bounds& bounds, rules::TermId term, events::EventId a, events::EventId b,
                BaseRelation base);

/// Returns whether `base` (rf or co) contains `term` in all executions that satisfy the axioms of `rules`.
bool is_part_of(const rules::Rules& rules, Bounds& bounds, rules::TermId term, BaseRelation base);

/// A part of an axiom. An execution violates an axiom if it violates one part: `irreflexive r | s` has two parts.
struct AxiomPart {
  rules::Test test;
  rules::TermId term;
  events::Relation into;  ///< for acyclic: the closure of the pairs that the term certainly contains, inverted
};

/// Returns the parts of all axioms that are not negated.
std::vector<AxiomPart> parts_of_axioms(const rules::Rules& rules, Bounds& bounds);

}  // namespace ambit::smt
