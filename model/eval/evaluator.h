#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/events/execution.h"
#include "model/rules/rules.h"

namespace ambit::eval {

/// The values of all axioms and flags on one concrete execution.
struct Evaluation {
  std::vector<bool> axioms;                  ///< for each element of Rules::axioms, whether the execution satisfies it
  std::vector<bool> flags;                   ///< for each element of Rules::flags, whether the execution raises it
  std::vector<events::Relation> flag_pairs;  ///< for each element of Rules::flags, the reported pairs (see rules::Flag)
  bool allowed() const;
};

/// Evaluates all axioms and flags on one execution, with bit matrices. Computes least fixed points by iteration from
/// empty relations. Polls `context` unless it is null.
Evaluation evaluate(const events::EventGraph& graph, const rules::Rules& rules, const events::Execution& execution,
                    Context* context = nullptr);

/// Like evaluate(), but returns only Evaluation::axioms.
std::vector<bool> evaluate_axioms(const events::EventGraph& graph, const rules::Rules& rules,
                                  const events::Execution& execution, Context* context = nullptr);

/// Returns the pairs that a raised flag reports. `relation` is the value of the flag's term (for a set, its identity
/// relation). The result is all pairs, the reflexive pairs, or one cycle of the relation, depending on the flag
/// (rules::Flag). A flag that is raised because a relation is empty reports no pairs.
events::Relation reported_pairs(const rules::Flag& flag, const events::Relation& relation);

/// Returns the value of a term in the execution, for explanations, pictures and tests. If the term is a set, the result
/// is its identity relation.
events::Relation evaluate_term(const events::EventGraph& graph, const rules::Rules& rules,
                               const events::Execution& execution, rules::TermId term);

/// Checks that `rules` allow `execution` and that `execution` is a well-formed candidate execution: values follow from
/// reads, guards agree with `executed`, requirements hold, and rf, co and the declared orders are valid. The check uses
/// only the program and no result of an engine. Returns the first flaw, or nothing. Polls `context` unless it is null.
std::optional<std::string> find_flaw(const events::EventGraph& graph, const rules::Rules& rules,
                                     const events::Execution& execution, Context* context = nullptr);
/// Like find_flaw() above, but the caller passes the evaluation of the execution by `rules`, which saves work.
std::optional<std::string> find_flaw(const events::EventGraph& graph, const rules::Rules& rules,
                                     const events::Execution& execution, const Evaluation& evaluation,
                                     Context* context = nullptr);

}  // namespace ambit::eval
