#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/events/execution.h"
#include "model/rules/rules.h"

namespace ambit::eval {

/// Everything that rules say of one concrete execution.
struct Evaluation {
  std::vector<bool> axioms;                  ///< by Rules::axioms: satisfied
  std::vector<bool> flags;                   ///< by Rules::flags: raised
  std::vector<events::Relation> flag_pairs;  ///< by Rules::flags: the pairs reported (see rules::Flag)
  bool allowed() const;
};

/// Evaluates all axioms and flags on one execution with bit matrices; fixed points by iteration from empty. `context`,
/// where it is not null, is polled.
Evaluation evaluate(const events::EventGraph& graph, const rules::Rules& rules, const events::Execution& execution,
                    Context* context = nullptr);

/// Of the same, the axioms only: Evaluation::axioms.
std::vector<bool> evaluate_axioms(const events::EventGraph& graph, const rules::Rules& rules,
                                  const events::Execution& execution, Context* context = nullptr);

/// What a raised flag reports of the relation (for a set, the identity) that its term denotes: its pairs, the reflexive
/// ones, or one cycle (rules::Flag). A flag that is raised by something being absent reports no pairs.
events::Relation reported_pairs(const rules::Flag& flag, const events::Relation& relation);

/// The concrete relation (or, for a set, its identity) that a term denotes in the execution: for explanations,
/// pictures, tests.
events::Relation evaluate_term(const events::EventGraph& graph, const rules::Rules& rules,
                               const events::Execution& execution, rules::TermId term);

/// Checks, from the program alone and without trusting any engine, that `execution` is a well-formed candidate
/// execution (values follow from reads, guards agree with `executed`, requirements hold, rf and co and the declared
/// orders are what they must be) that `rules` allow. Returns the first thing wrong, or nothing. `context`, where it is
/// not null, is polled.
std::optional<std::string> find_flaw(const events::EventGraph& graph, const rules::Rules& rules,
                                     const events::Execution& execution, Context* context = nullptr);
/// The same, with what `rules` say of the execution at hand, which saves evaluating it again.
std::optional<std::string> find_flaw(const events::EventGraph& graph, const rules::Rules& rules,
                                     const events::Execution& execution, const Evaluation& evaluation,
                                     Context* context = nullptr);

}  // namespace ambit::eval
