#pragma once

#include <memory>

#include "model/smt/encoder.h"
#include "model/smt/formula.h"
#include "model/smt/witness_reader.h"

namespace ambit::smt {

/// One (graph, rules) as clauses in a solver: which executions are allowed. Questions are literals over it.
class Problem {
 public:
  /// `rules` must be normalized (normalize.h).
  Problem(const events::EventGraph& graph, const rules::Rules& rules, Context& context, SatSolver& solver);

  enum class Axioms : std::uint8_t { Required, Guarded };

  /// Encodes candidate executions and axioms. Nothing: done. Otherwise why it could not be; throws Stopped where the
  /// limits of the context are reached. Guarded: an axiom has to be met only where its literal in `guards` holds.
  std::optional<UnknownReason> encode(const events::Questions& questions, Axioms axioms = Axioms::Required);
  /// Literals of the answers; set by encode().
  Lit complete = kTrue;  ///< bound not reached, filter holds
  Lit unstuck = kTrue;   ///< no thread waits for ever at a barrier
  Lit bound = kFalse;
  Lit holds = kFalse;
  std::vector<Lit> guards;  ///< by axiom, if they are guarded
  std::vector<Lit> incidents;
  std::vector<Lit> lemmas;  ///< worth requiring where they cannot fail
  struct FlaggedLiteral {
    std::uint32_t flag;
    events::EventId first;  ///< kNoEvent: the flag is raised without pairs
    events::EventId second;
    Lit literal;
  };
  std::vector<FlaggedLiteral> flagged;
  std::vector<std::vector<Lit>> outcomes;          ///< by observable: literals of its values
  std::vector<std::vector<Value>> outcome_values;  ///< parallel

  Literals& literals() { return literals_; }
  /// Truth of `literal` in the last model read.
  bool is_true(Lit literal) const {
    return values_[static_cast<std::size_t>(literal < 0 ? -literal : literal)] == (literal > 0);
  }
  /// Reads the solver's model.
  void read_model();
  events::Execution witness() const { return witness_->read(values_); }

 private:
  void require_complete(const std::vector<events::NodeId>& filter);
  void encode_axioms(Axioms axioms);
  void encode_questions(const events::Questions& questions);

  const events::EventGraph& graph_;
  const rules::Rules& rules_;
  SatSolver& solver_;
  Literals literals_;
  Candidates candidates_;
  Choices choices_;
  Values values_of_;
  Memory memory_;
  std::unique_ptr<Bounds> bounds_;
  std::unique_ptr<Encoder> encoder_;
  std::unique_ptr<WitnessReader> witness_;
  std::vector<Lit> leaves_;
  std::vector<bool> values_;
};

}  // namespace ambit::smt
