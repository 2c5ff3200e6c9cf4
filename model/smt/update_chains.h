#pragma once

#include "model/smt/memory_encoding.h"

namespace ambit::smt {

/// A cell whose writes take place in all executions, and whose written values depend only on the preceding value.
struct UpdateChain {
  LocationId location = 0;
  std::vector<events::EventId> writes;      ///< all writes except the initial write
  std::vector<std::size_t> lowest;          ///< for each write, the lowest rank that the known order allows
  std::vector<std::size_t> highest;         ///< for each write, the highest rank that the known order allows
  std::vector<std::vector<Value>> by_rank;  ///< for each k, the values that the cell can have after k writes
};

/// Returns the cells of this kind that have many updates. Throws Stopped.
std::vector<UpdateChain> find_update_chains(const events::EventGraph& graph, const Candidates& candidates,
                                            Context& context);
/// Finds the values that updates can read. Covers cells with only atomic updates, and cells of
/// events::values_of_updates. Throws Stopped.
KnownReads reads_of_chains(const events::EventGraph& graph, const Candidates& candidates,
                           const std::vector<UpdateChain>& chains, Context& context);

/// Constraints for cells that many read-modify-writes update (counters).
///
/// If the axioms show that a cell is updated atomically, each update is required to read from the write just before it
/// in coherence, and the encoding of terms relies on this (UpdateOrder).
///
/// The proof that eight atomicAdds end in 8 is a counting argument. In clauses over pairs of writes, such proofs are
/// exponential. Therefore each write of such a cell gets a rank in coherence order (unary), and the values that the
/// cell can have after k writes are computed beforehand: value k of a counter is k. A write of rank k writes one of
/// these values, provided that each update reads from its predecessor in coherence order. The clauses contain this
/// condition, so they hold under all models, and a model that requires atomicity makes the condition true.
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
  /// Returns literals that each deserve a query. If the negation of a literal is impossible, the literal can be
  /// required, and the solver need not derive again and again that updates are atomic.
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
