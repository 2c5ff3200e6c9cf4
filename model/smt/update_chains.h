#pragma once

#include "model/smt/memory_encoding.h"

namespace ambit::smt {

/// A cell whose writes take place in every execution, and whose written values depend only on the value before.
struct UpdateChain {
  LocationId location = 0;
  std::vector<events::EventId> writes;      ///< all but the initial one
  std::vector<std::size_t> lowest;          ///< by write: the least rank that the known order allows
  std::vector<std::size_t> highest;         ///< by write: the greatest rank
  std::vector<std::vector<Value>> by_rank;  ///< by k: the values that the cell can have after k writes
};

/// Returns the cells of this kind with many updates. Throws Stopped.
std::vector<UpdateChain> find_update_chains(const events::EventGraph& graph, const Candidates& candidates,
                                            Context& context);
/// Finds the values that updates can read, for cells with only atomic updates and for cells of
/// events::values_of_updates. Throws Stopped.
KnownReads reads_of_chains(const events::EventGraph& graph, const Candidates& candidates,
                           const std::vector<UpdateChain>& chains, Context& context);

/// Constraints for cells that are updated by many read-modify-writes (counters).
///
/// If the axioms show a cell to be updated atomically, each update is required to read from the write just before it in
/// coherence, and the encoding of terms relies on that (UpdateOrder).
///
/// That eight atomicAdds end in 8 is a counting argument, which has only exponential proofs in clauses over pairs of
/// writes. So each write of such a cell gets a rank in coherence order (unary), and the values that the cell can have
/// after k writes are computed beforehand: value k of a counter is k. A write of rank k writes one of them, provided
/// that every update reads from its predecessor in coherence order. That proviso is part of the clauses, so they hold
/// under every model, and a model that requires atomicity makes it true.
class UpdateChains {
 public:
  UpdateChains(const events::EventGraph& graph, const Candidates& candidates, const std::vector<UpdateChain>& chains,
               Choices& choices, Values& values, Literals& literals)
      : graph_(graph),
        candidates_(candidates),
        chains_(chains),
        choices_(choices),
        values_(values),
        literals_(literals) {}

  void add();
  /// Returns literals that each deserve a query: if its negation is impossible, the literal can be required, and then
  /// the solver need not derive repeatedly that updates are atomic.
  const std::vector<Lit>& lemmas() const { return lemmas_; }

 private:
  void require_atomic(LocationId location);
  bool is_open(const UpdateChain& chain) const;
  bool is_next(events::EventId older, events::EventId younger) const;
  Lit follows_its_source(const UpdateChain& chain, events::EventId write);
  void add_ranks(const UpdateChain& chain);
  void add_values(const UpdateChain& chain, const std::vector<std::vector<Lit>>& at_least, Lit is_chain);

  const events::EventGraph& graph_;
  const Candidates& candidates_;
  const std::vector<UpdateChain>& chains_;
  Choices& choices_;
  Values& values_;
  Literals& literals_;
  events::Relation younger_first_;  ///< the inverse of the known order of writes
  std::vector<Lit> lemmas_;
};

}  // namespace ambit::smt
