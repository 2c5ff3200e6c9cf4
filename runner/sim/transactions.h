#pragma once

#include <span>

#include "core/program.h"
#include "runner/sim/memory.h"
#include "runner/sim/simulator_options.h"
#include "runner/sim/state.h"

namespace ambit::sim {

/// A hardware transactional memory as in Holey's dissertation, chapter 5, with lazy versions: a transaction keeps its
/// writes private until it commits. With lazy conflict detection, a commit restarts every transaction that has read or
/// written one of the committed cells. With eager detection, a transaction restarts itself when it accesses a cell in
/// conflict. A write outside of transactions restarts conflicting transactions in both cases, so isolation is strong.
/// Conflicts are per cell. A transaction and a thread outside of its scope do not conflict.
///
/// In the memory of a gpu, a transaction takes effect where the operations of its scope take effect. A transaction of
/// block scope reads and commits in the L1 of its multiprocessor. A transaction of cluster or device scope uses the L2.
/// Conflicts are found there: a write outside of transactions conflicts when its value arrives. A transaction begins
/// and ends with a fence of its scope.
class Transactions {
 public:
  /// `program` and `memory` must outlive this object.
  Transactions(const Program& program, const Memory& memory, const Options& options);

  void reset(State& state) const;
  bool is_open(const State& state, std::uint32_t thread) const { return exist_ && state.transactions[thread].is_open; }
  /// Returns whether a conflict has ended the thread's attempt and the next attempt has not begun.
  bool has_failed(const State& state, std::uint32_t thread) const {
    return exist_ && state.transactions[thread].has_failed;
  }
  void begin(State& state, std::uint32_t thread, Scope scope, std::span<const Value> registers) const;
  /// Returns the access that memory performs for a thread in a transaction.
  MemoryAccess access(const State& state, std::uint32_t thread) const;
  /// Returns whether the thread has written the cell in its open transaction.
  bool has_written(const State& state, std::uint32_t thread, LocationId location) const;
  /// Returns the value that a thread in a transaction has written itself. If it has not written the location, returns
  /// the value in memory, read in the given way (Memory::ways).
  Value load(State& state, std::uint32_t thread, LocationId location, unsigned way) const;
  void store(State& state, std::uint32_t thread, LocationId location, Value value) const;
  /// Ends the transaction. Writes to memory if the transaction commits.
  void end(State& state, std::uint32_t thread, bool commits) const;
  /// Eager: returns whether a thread in a transaction must restart because it is about to access the cell. If so,
  /// restarts it.
  bool yields(State& state, std::uint32_t thread, LocationId location, bool writes) const;
  /// Handles a write that has been issued outside of transactions.
  void write_outside(State& state, std::uint32_t writer, LocationId location) const;
  /// Must be called after each step of a thread or the memory: handles arrivals in caches and memory.
  void find_arrivals(State& state) const;

 private:
  bool conflict(const State& state, std::uint32_t writer, std::uint32_t other) const;
  void begin_others_again(State& state, std::uint32_t writer, LocationId location) const;
  void begin_again(State& state, std::uint32_t thread) const;
  std::size_t cell(std::uint32_t thread, LocationId location) const {
    return std::size_t{thread} * program_.locations.size() + location;
  }

  const Program& program_;
  const Memory& memory_;
  ConflictKind conflicts_;
  bool writes_arrive_later_;  ///< in the memory of a gpu, writes arrive after they were issued
  bool exist_;
  std::vector<std::size_t> first_register_;  ///< for each thread, its first register; one more entry marks the end
};

/// Returns errors for accesses in transactions that take effect beyond the transaction's scope, because the memory of a
/// gpu cannot keep them private.
Diagnostics wide_accesses_in_transactions(const Program& program);

}  // namespace ambit::sim
