#pragma once

#include "model/smt/memory_encoding.h"

namespace ambit::smt {

/// A cell whose writes take place in every execution, the values they write depending on nothing but the value before.
struct UpdateChain {
  LocationId location = 0;
  std::vector<events::EventId> writes;      ///< all but the initial one
  std::vector<std::size_t> lowest;          ///< by write: the least rank that the known order leaves
  std::vector<std::size_t> highest;         ///< by write: the greatest
  std::vector<std::vector<Value>> by_rank;  ///< the values that the cell can have after so many writes
};

/// The cells of this kind with many updates. Throws Stopped.
std::vector<UpdateChain> find_update_chains(const events::EventGraph& graph, const Candidates& candidates,
                                            Context& context);
/// Finds the values that updates can read, for cells with only atomic updates and for cells of
/// events::values_of_updates. Throws Stopped.
KnownReads reads_of_chains(const events::EventGraph& graph, const Candidates& candidates,
                           const std::vector<UpdateChain>& chains, Context& context);

/// Constraints for cells that are updated by many read-modify-writes (counters).
///
/// Where the axioms show a cell to be updated atomically, each update is required to read from the write just before it
/// in coherence, and the encoding of terms leans on that (UpdateOrder).
///
/// That eight atomicAdds end in 8 is a counting argument, for which clauses over pairs of writes have only exponential
/// proofs. So each write of such a cell gets a rank in coherence order (unary), and the values that the cell can have
/// after k writes are computed beforehand: value k of a counter is k. A write of rank k writes one of them, provided
/// that every update reads from its predecessor in coherence order; that proviso is part of the clauses, so they hold
/// under every model, and a model that demands atomicity makes it true.
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
  /// Each is worth a question of its own: if its negation is impossible, it can be required, and then the solver need
  /// not find out again and again that updates are atomic.
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
  events::Relation younger_first_;  ///< the known order of writes, the other way round
  std::vector<Lit> lemmas_;
};

}  // namespace ambit::smt
