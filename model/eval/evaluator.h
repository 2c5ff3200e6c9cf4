#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/events/execution.h"
#include "model/rules/rules.h"

namespace ambit::eval {

/// The values of all axioms and flags on one concrete execution.
struct Evaluation {
  std::vector<bool> axioms;                  ///< by Rules::axioms: satisfied
  std::vector<bool> flags;                   ///< by Rules::flags: raised
  std::vector<events::Relation> flag_pairs;  ///< by Rules::flags: the pairs reported (see rules::Flag)
  bool allowed() const;
};

/// Evaluates all axioms and flags on one execution with bit matrices; fixed points by iteration from empty. Polls
/// `context` unless it is null.
Evaluation evaluate(const events::EventGraph& graph, const rules::Rules& rules, const events::Execution& execution,
                    Context* context = nullptr);

/// Like evaluate(), but only the axioms: Evaluation::axioms.
std::vector<bool> evaluate_axioms(const events::EventGraph& graph, const rules::Rules& rules,
                                  const events::Execution& execution, Context* context = nullptr);

/// Returns the pairs that a raised flag reports. `relation`: the value of the flag's term (for a set, its identity).
/// The result has its pairs, the reflexive ones, or one cycle (rules::Flag). A flag raised by an absence reports no
/// pairs.
events::Relation reported_pairs(const rules::Flag& flag, const events::Relation& relation);

/// Returns the concrete relation (or, for a set, its identity) that a term denotes in the execution, for explanations,
/// pictures and tests.
events::Relation evaluate_term(const events::EventGraph& graph, const rules::Rules& rules,
                               const events::Execution& execution, rules::TermId term);

/// Checks, from the program alone and without trusting any engine, that `rules` allow `execution` and that it is a
/// well-formed candidate execution: values follow from reads, guards agree with `executed`, requirements hold, and rf,
/// co and the declared orders are valid. Returns the first flaw, or nothing. Polls `context` unless it is null.
std::optional<std::string> find_flaw(const events::EventGraph& graph, const rules::Rules& rules,
                                     const events::Execution& execution, Context* context = nullptr);
/// Like find_flaw() above, with an evaluation of the execution by `rules`, which saves repeating it.
std::optional<std::string> find_flaw(const events::EventGraph& graph, const rules::Rules& rules,
                                     const events::Execution& execution, const Evaluation& evaluation,
                                     Context* context = nullptr);

}  // namespace ambit::eval
