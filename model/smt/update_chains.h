#pragma once

#include "model/smt/memory_encoding.h"

namespace ambit::smt {

/// Redundant constraints for cells that are updated by many read-modify-writes (counters).
///
/// That eight atomicAdds end in 8 is a counting argument, for which clauses over pairs of writes have only exponential
/// proofs. So each write of such a cell gets a rank in coherence order (unary), and the values that the cell can have
/// after k writes are computed beforehand: value k of a counter is k. A write of rank k writes one of them, provided
/// that every update reads from its predecessor in coherence order; that proviso is part of the clauses, so they hold
/// under every model, and a model that demands atomicity makes it true.
class UpdateChains {
 public:
  UpdateChains(const events::EventGraph& graph, const Candidates& candidates, Choices& choices, Values& values,
               Literals& literals)
      : graph_(graph), candidates_(candidates), choices_(choices), values_(values), literals_(literals) {}

  void add();
  /// Each is worth a question of its own: if its negation is impossible, it can be required, and then the solver need
  /// not find out again and again that updates are atomic.
  const std::vector<Lit>& lemmas() const { return lemmas_; }

 private:
  /// Values by number of writes before, or nothing where the writes of the cell are not of the simple kind.
  std::optional<std::vector<std::vector<Value>>> values_by_rank(LocationId location) const;
  std::optional<std::vector<Value>> written_after(events::EventId write, const std::vector<Value>& before) const;
  Lit follows_its_source(LocationId location, events::EventId write);
  void add_ranks(LocationId location, const std::vector<std::vector<Value>>& by_rank);

  const events::EventGraph& graph_;
  const Candidates& candidates_;
  Choices& choices_;
  Values& values_;
  Literals& literals_;
  std::vector<Lit> lemmas_;
};

}  // namespace ambit::smt
