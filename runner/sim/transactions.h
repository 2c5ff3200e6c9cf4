#pragma once

#include <span>

#include "core/program.h"
#include "runner/sim/memory.h"
#include "runner/sim/simulator_options.h"
#include "runner/sim/state.h"

namespace ambit::sim {

/// A hardware transactional memory with lazy version management, as in Holey's dissertation, chapter 5: the writes of a
/// transaction are private until the commit. With lazy conflict detection, a commit restarts every transaction that has
/// read or written one of the committed cells. With eager detection, a transaction restarts when it makes a conflicting
/// access. In both cases, a write outside transactions restarts conflicting transactions, so isolation is strong.
/// Conflicts are per cell. A transaction does not conflict with threads outside its scope.
///
/// In the memory of a gpu, a transaction takes effect where the operations of its scope take effect. A transaction of
/// block scope reads and commits in the L1 of its multiprocessor. A transaction of cluster or device scope uses the L2.
/// Conflicts are found at the level where the transaction takes effect: a write outside transactions conflicts when its
/// value arrives at this level. A transaction begins and ends with a fence of its scope.
class Transactions {
 public:
  /// `program` and `memory` must outlive this object.
  Transactions(const Program& program, const Memory& memory, const Options& options);

  void reset(State& state) const;
  bool is_open(const State& state, std::uint32_t thread) const { return exist_ && state.transactions[thread].is_open; }
  /// Returns whether a conflict has ended the thread's attempt and the next attempt has not begun yet.
  bool has_failed(const State& state, std::uint32_t thread) const {
    return exist_ && state.transactions[thread].has_failed;
  }
  void begin(State& state, std::uint32_t thread, Scope scope, std::span<const Value> registers) const;
  /// Returns the access that the memory performs for an access of a thread in a transaction.
  MemoryAccess access(const State& state, std::uint32_t thread) const;
  /// Returns whether the thread has written the cell in its open transaction.
  bool has_written(const State& state, std::uint32_t thread, LocationId location) const;
  /// Returns the value that a load in a transaction reads: the value that the transaction has written or, without such
  /// a write, the value in memory in the given way (Memory::ways).
  Value load(State& state, std::uint32_t thread, LocationId location, unsigned way) const;
  void store(State& state, std::uint32_t thread, LocationId location, Value value) const;
  /// Ends the transaction. Writes to memory if the transaction commits.
  void end(State& state, std::uint32_t thread, bool commits) const;
  /// With eager detection, restarts the thread's transaction if its next access of the cell would conflict. Returns
  /// whether the transaction restarts.
  bool yields(State& state, std::uint32_t thread, LocationId location, bool writes) const;
  /// Must be called for each write that is issued outside transactions.
  void write_outside(State& state, std::uint32_t writer, LocationId location) const;
  /// Must be called after each step of a thread or of the memory. Restarts transactions that conflict with values that
  /// have arrived in caches or memory.
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
  bool writes_arrive_later_;  ///< the memory simulates a gpu, where a write arrives after its issue
  bool exist_;
  std::vector<std::size_t> first_register_;  ///< for each thread, its first register; one more entry marks the end
};

/// Returns errors for accesses whose scope is wider than the scope of their transaction. The memory of a gpu cannot
/// keep accesses with a wider scope private.
Diagnostics wide_accesses_in_transactions(const Program& program);

}  // namespace ambit::sim
