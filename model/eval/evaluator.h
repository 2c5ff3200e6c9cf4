#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/events/execution.h"
#include "model/rules/rules.h"

namespace ambit::eval {

/// The values of all axioms and flags on one concrete execution.
struct Evaluation {
  std::vector<bool> axioms;                  ///< for each element of Rules::axioms, whether it is satisfied
  std::vector<bool> flags;                   ///< for each element of Rules::flags, whether it is raised
  std::vector<events::Relation> flag_pairs;  ///< for each element of Rules::flags, the reported pairs (see rules::Flag)
  bool allowed() const;
};

/// Evaluates all axioms and flags on one execution with bit matrices. Computes fixed points by iteration from empty
/// relations. Polls `context` unless it is null.
Evaluation evaluate(const events::EventGraph& graph, const rules::Rules& rules, const events::Execution& execution,
                    Context* context = nullptr);

/// Like evaluate(), but returns only Evaluation::axioms.
std::vector<bool> evaluate_axioms(const events::EventGraph& graph, const rules::Rules& rules,
                                  const events::Execution& execution, Context* context = nullptr);

/// Returns the pairs that a raised flag reports. `relation` is the value of the flag's term (for a set, its identity).
/// The result has the relation's pairs, its reflexive pairs, or one cycle (rules::Flag). A flag that an absence raises
/// reports no pairs.
events::Relation reported_pairs(const rules::Flag& flag, const events::Relation& relation);

/// Returns the concrete relation (or, for a set, its identity) that a term denotes in the execution, for explanations,
/// pictures and tests.
events::Relation evaluate_term(const events::EventGraph& graph, const rules::Rules& rules,
                               const events::Execution& execution, rules::TermId term);

/// Checks that `rules` allow `execution` and that it is a well-formed candidate execution: values follow from reads,
/// guards agree with `executed`, requirements hold, and rf, co and the declared orders are valid. The check uses only
/// the program and trusts no engine. Returns the first flaw, or nothing. Polls `context` unless it is null.
std::optional<std::string> find_flaw(const events::EventGraph& graph, const rules::Rules& rules,
                                     const events::Execution& execution, Context* context = nullptr);
/// Like find_flaw() above, but takes an evaluation of the execution by `rules`, which saves work.
std::optional<std::string> find_flaw(const events::EventGraph& graph, const rules::Rules& rules,
                                     const events::Execution& execution, const Evaluation& evaluation,
                                     Context* context = nullptr);

}  // namespace ambit::eval
