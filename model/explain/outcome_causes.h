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
  /// For acyclic and irreflexive, the chain leads back to its beginning. For empty, it leads from the first to the
  /// second event of a pair. Empty if the axiom requires something that is absent, or concerns a set.
  Chain chain;
  /// The execution meets all other axioms; if false, it meets only the other axioms of the explanation.
  bool others_hold = true;
};

/// Whether a model allows executions with the program's proposition, and the reason.
struct OutcomeExplanation {
  std::shared_ptr<const events::EventGraph> graph;
  std::shared_ptr<const rules::Rules> rules;
  std::string model;  ///< name of the model (verdict::model_name)
  events::Possibility possibility = events::Possibility::Unknown;
  std::optional<UnknownReason> unknown;
  std::string unknown_detail;

  /// Possible: an execution in which the proposition holds. It is an interleaving of the threads if the search finds
  /// one.
  std::optional<events::Execution> witness;
  /// Possible: a cycle of program order, communication and barriers in the witness, which proves that the witness is
  /// not an interleaving of the threads. Empty if the witness is an interleaving.
  Chain weak_cycle;
  /// Possible, if the witness is not an interleaving: the reason why it is unknown whether an interleaving exists.
  std::optional<UnknownReason> interleaving_unknown;
  /// Possible, without an interleaving: the smallest changes, all of one weight, that make the outcome impossible.
  std::vector<Repair> repairs;
  std::size_t untried_repairs = 0;    ///< FoundRepairs::untried
  std::size_t undecided_repairs = 0;  ///< FoundRepairs::undecided

  /// Impossible: the smallest set of axioms that together forbid the proposition. Each axiom has the nearest execution
  /// that only this axiom forbids.
  std::vector<Violation> violations;
  /// Impossible, under a model that may leave racy programs undefined (verdict::racy_programs): the answer to whether
  /// the program races, with the races. If the program races, the outcome can appear although no execution shows it.
  std::optional<verdict::Verdict> races;
  /// Impossible: no execution of the program that ends has these values under any axioms.
  bool is_unreachable = false;
  /// Impossible: in every execution a thread waits forever, so no execution has final values.
  bool is_stuck = false;
  /// Impossible: the limits were too low to find the axioms that matter.
  bool is_undivided = false;
};

/// Explains the verdict on `program.condition.proposition`, which must be present. Ignores the questions in `options`.
/// Returns an error if events::build does.
Result<OutcomeExplanation> explain_outcome(verdict::Checker& checker, std::shared_ptr<const Program> program,
                                           std::shared_ptr<const rules::Rules> rules,
                                           const verdict::CheckOptions& options, Context& context);

}  // namespace ambit::explain
