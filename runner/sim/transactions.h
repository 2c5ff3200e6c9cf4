#pragma once

#include <span>

#include "core/program.h"
#include "runner/sim/simulator_options.h"
#include "runner/sim/state.h"

namespace ambit::sim {

/// A hardware transactional memory on top of sequentially consistent memory, after Holey's dissertation, chapter 5,
/// with lazy versions: a transaction keeps what it writes to itself until it commits. With lazy detection of conflicts,
/// who commits makes every transaction that has read or written one of these cells begin again; with eager detection,
/// who asks for a cell that is in conflict does. A write outside of transactions makes them begin again in both, so
/// isolation is strong. Cells are the unit of conflicts. A transaction and a thread outside of its scope do not
/// conflict.
class Transactions {
 public:
  /// `program` must outlive it.
  Transactions(const Program& program, ConflictKind conflicts);

  void reset(State& state) const;
  bool is_open(const State& state, std::uint32_t thread) const { return exist_ && state.transactions[thread].is_open; }
  void begin(State& state, std::uint32_t thread, Scope scope, std::span<const Value> registers) const;
  /// Of a thread in a transaction: what it has written itself, else what memory holds.
  Value load(State& state, std::uint32_t thread, LocationId location) const;
  void store(State& state, std::uint32_t thread, LocationId location, Value value) const;
  /// Writes to memory unless the transaction has aborted, and ends it.
  void end(State& state, std::uint32_t thread, bool commits) const;
  /// Eager: whether a thread in a transaction that is about to access the cell has to begin again. If so, it does.
  bool yields(State& state, std::uint32_t thread, LocationId location, bool writes) const;
  /// A write outside of transactions, or by one that commits.
  void begin_others_again(State& state, std::uint32_t writer, LocationId location) const;

 private:
  bool conflict(const State& state, std::uint32_t writer, std::uint32_t other) const;
  void begin_again(State& state, std::uint32_t thread) const;
  std::size_t cell(std::uint32_t thread, LocationId location) const {
    return std::size_t{thread} * program_.locations.size() + location;
  }

  const Program& program_;
  ConflictKind conflicts_;
  bool exist_;
  std::vector<std::size_t> first_register_;  ///< by thread, and the end
};

}  // namespace ambit::sim
