#pragma once

#include "model/smt/memory_encoding.h"

namespace ambit::smt {

/// A cell with writes that are executed in all executions and depend only on the cell's preceding value.
struct UpdateChain {
  LocationId location = 0;
  std::vector<events::EventId> writes;      ///< all writes except the initial write
  std::vector<std::size_t> lowest;          ///< for each write, the lowest rank that the known order allows
  std::vector<std::size_t> highest;         ///< for each write, the highest rank that the known order allows
  std::vector<std::vector<Value>> by_rank;  ///< for each k, the possible values of the cell after k writes
};

/// Returns the chains of those cells that have many updates. Throws Stopped.
std::vector<UpdateChain> find_update_chains(const events::EventGraph& graph, const Candidates& candidates,
                                            Context& context);
/// Finds the values that updates can read. Handles cells with only atomic updates, and the cells that
/// events::values_of_updates supports. Throws Stopped.
KnownReads reads_of_chains(const events::EventGraph& graph, const Candidates& candidates,
                           const std::vector<UpdateChain>& chains, Context& context);

/// Constraints for cells that many read-modify-writes update (counters).
///
/// If the axioms imply that the updates of a cell are atomic, the clauses require that each update reads from
/// the write directly before it in coherence. The encoding of terms relies on this requirement (UpdateOrder).
///
/// A proof that eight atomicAdds give the result 8 must count the writes. With clauses that each relate two writes, the
/// proof has exponential length. So each write of these cells has a rank in coherence order (unary), and the encoding
/// first computes the values that the cell can have after k writes: for a counter, the value is k. If each update reads
/// from its predecessor in coherence, a write of rank k stores a value possible after k writes. The clauses contain
/// this condition, so they are valid under all models. In a model that requires atomicity, the condition is true.
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
  /// Returns literals for separate queries. If a query shows that the negation of a literal is impossible, the caller
  /// can require the literal. Then the solver need not prove the atomicity of updates in each query.
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
