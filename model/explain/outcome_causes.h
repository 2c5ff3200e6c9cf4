#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/context.h"
#include "model/events/execution.h"
#include "model/explain/chain.h"
#include "model/explain/repair.h"
#include "model/rules/rules.h"
#include "model/verdict/verdict.h"

namespace ambit::explain {

/// An execution that violates an axiom, with the steps of the violation.
struct Violation {
  std::size_t axiom = 0;  ///< index into Rules::axioms
  events::Execution execution;
  /// For acyclic and irreflexive, the chain leads back to its beginning. For `empty`, it leads from the first to the
  /// second event of a pair. No chain exists if the axiom requires that pairs exist, or if the axiom's term is a set.
  Chain chain;
  /// True if the execution satisfies all other axioms of the model. Otherwise, the execution satisfies only the other
  /// axioms of the explanation.
  bool others_hold = true;
};

/// The answer to whether a model allows executions with the program's proposition, and the reason.
struct OutcomeExplanation {
  std::shared_ptr<const events::EventGraph> graph;
  std::shared_ptr<const rules::Rules> rules;
  std::string model;  ///< the name of the model (verdict::model_name)
  events::Possibility possibility = events::Possibility::Unknown;
  std::optional<UnknownReason> unknown;
  std::string unknown_detail;

  /// If Possible: an execution in which the proposition is true. If the search finds an interleaving of the threads,
  /// the witness is an interleaving.
  std::optional<events::Execution> witness;
  /// If Possible: a cycle of program order, communication and barriers in the witness, which proves that the witness is
  /// not an interleaving of the threads. Empty if the witness is an interleaving.
  Chain weak_cycle;
  /// The reason why the search for an interleaving did not end. Absent if the search ended or was not started.
  std::optional<UnknownReason> interleaving_unknown;
  /// If Possible and the witness is not an interleaving: the smallest changes that make the outcome impossible. All
  /// repairs have the same weight.
  std::vector<Repair> repairs;
  std::size_t untried_repairs = 0;             ///< FoundRepairs::untried
  std::size_t undecided_repairs = 0;           ///< FoundRepairs::undecided
  std::optional<UnknownReason> why_undecided;  ///< FoundRepairs::why_undecided

  /// If Impossible: the smallest set of axioms that together forbid the proposition. For each axiom of the set, some
  /// execution is forbidden by this axiom alone.
  std::vector<Violation> violations;
  /// If Impossible: the races of the program, if the model may leave racy programs undefined (verdict::racy_programs).
  /// If the program has a race, the outcome can occur even though no execution has this outcome.
  std::optional<verdict::Verdict> races;
  /// True if, even without axioms, no complete execution of the program satisfies the proposition.
  bool is_unreachable = false;
  /// True if some thread waits forever in every execution, so that no execution has final values.
  bool is_stuck = false;
  /// True if the search for the necessary axioms reached a limit.
  bool is_undivided = false;
};

/// Explains the verdict on `program.condition.proposition`, which must be present. Ignores the questions in `options`.
/// If events::build() returns an error, returns this error.
Result<OutcomeExplanation> explain_outcome(verdict::Checker& checker, std::shared_ptr<const Program> program,
                                           std::shared_ptr<const rules::Rules> rules,
                                           const verdict::CheckOptions& options, Context& context);

}  // namespace ambit::explain
