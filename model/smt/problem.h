#pragma once

#include <memory>

#include "model/events/symmetry.h"
#include "model/smt/encoder.h"
#include "model/smt/formula.h"
#include "model/smt/narrowing.h"
#include "model/smt/witness_reader.h"

namespace ambit::smt {

/// Encodes a program and a model in a solver. The clauses describe the allowed executions. Questions are literals.
class Problem {
 public:
  /// If Guarded, each axiom is required only if its literal in `guards` is true.
  enum class Axioms : std::uint8_t { Required, Guarded };

  /// `rules` must be normalized (normalize.h). Throws Stopped at a limit of the context.
  Problem(const events::EventGraph& graph, const rules::Rules& rules, Context& context, SatSolver& solver,
          Axioms axioms = Axioms::Required, const events::Symmetry& symmetry = {});

  /// Encodes candidate executions and axioms. Returns the reason for a failure, or nothing on success. Throws Stopped
  /// at a limit of the context.
  std::optional<UnknownReason> encode(const events::Questions& questions);
  /// The literals for the answers. encode() sets them.
  Lit complete = kTrue;  ///< the loop bound is not reached, and the filter is true
  Lit unstuck = kTrue;   ///< no thread waits forever at a barrier
  Lit bound = kFalse;
  Lit holds = kFalse;
  std::vector<Lit> guards;  ///< one guard for each axiom, if axioms are guarded
  std::vector<Lit> incidents;
  std::vector<Lit> lemmas;  ///< literals that are worth proving: once proved, they make the solver faster
  struct FlaggedLiteral {
    std::uint32_t flag;
    events::EventId first;  ///< kNoEvent if the flag is raised without pairs
    events::EventId second;
    Lit literal;
  };
  std::vector<FlaggedLiteral> flagged;
  std::vector<std::vector<Lit>> outcomes;          ///< for each observable, the literals of its values
  std::vector<std::vector<Value>> outcome_values;  ///< for each observable, the values that these literals represent

  Literals& literals() { return literals_; }
  Bounds& bounds() { return bounds_->bounds; }
  /// Returns the value of `literal` in the solution that read_model() read.
  bool is_true(Lit literal) const {
    return values_[static_cast<std::size_t>(literal < 0 ? -literal : literal)] == (literal > 0);
  }
  /// Reads the solver's solution.
  void read_model();
  events::Execution witness() const { return witness_->read(values_); }

 private:
  void require_complete(const std::vector<events::NodeId>& filter);
  bool has_no_candidate();
  void require_known_coherence();
  void encode_axioms();
  void encode_questions(const events::Questions& questions);

  const events::EventGraph& graph_;
  const rules::Rules& rules_;
  SatSolver& solver_;
  Literals literals_;
  Axioms axioms_;
  Candidates candidates_;
  std::unique_ptr<RefinedBounds> bounds_;
  Choices choices_;
  Values values_of_;
  Memory memory_;
  std::unique_ptr<Encoder> encoder_;
  std::unique_ptr<WitnessReader> witness_;
  std::vector<Lit> leaves_;
  std::vector<bool> values_;
};

}  // namespace ambit::smt
