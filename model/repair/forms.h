#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/program.h"
#include "model/repair/statement_text.h"

namespace ambit::repair {

/// An operation of the program and where the source has it.
struct Place {
  SourceSpan span;
  const Operation* operation = nullptr;  ///< of one of the threads that run it
};

/// A lock that the program takes somewhere, as its source writes that.
struct LockWords {
  std::string take;   ///< "while (atomicCAS(&lock, 0, 1) != 0) {}"
  std::string fence;  ///< "__threadfence();", or empty
  std::string give;   ///< "atomicExch(&lock, 0);"
  std::string name;   ///< "lock"
};

/// Where a barrier is added: at the statement of a place, or at a control statement around it.
struct BarrierPosition {
  bool is_after = false;
  unsigned levels_out = 0;  ///< 0: the statement itself; N: the Nth control statement around it
};

/// How a language writes operations: the edits of the source that give an operation another form. Nothing: the source
/// has no place for it, or the operation does not stand there as itself (in a macro, over several lines).
class Forms {
 public:
  using Edits = std::optional<std::vector<TextEdit>>;

  virtual ~Forms() = default;
  virtual Edits with_scope(const Place& place, Scope scope) const = 0;
  virtual Edits with_order(const Place& place, Order order) const = 0;
  virtual Edits fence_before(const Place& place, Order order, Scope scope) const = 0;
  virtual Edits without(const Place& fence) const = 0;
  /// A plain access as a relaxed atomic one.
  virtual Edits as_atomic(const Place& place, Scope scope) const = 0;
  /// An atomic read is no read-modify-write.
  virtual bool has_atomic_loads() const = 0;
  /// A place that reads and writes by one operator, as in x++ or x += 1, as one atomic operation.
  virtual Edits as_atomic_update(const Place& place, Scope scope) const = 0;
  virtual Edits in_lock(const Place& place, const LockWords& lock) const = 0;
  /// The lock that a compare and swap takes.
  virtual std::optional<LockWords> lock_of(const Place& place) const = 0;
  /// Returns the edits that add `words` ("__syncthreads();") at a position around the statement of the place. Nothing:
  /// there is no such position.
  virtual Edits barrier(const Place& place, const BarrierPosition& position, const std::string& words) const = 0;
  /// The thread in the block of that number.
  virtual Edits in_block(const Thread& thread, int block) const = 0;
  /// The fence as the language writes it: "__threadfence();".
  virtual std::optional<std::string> fence_words(Order order, Scope scope) const = 0;
  /// Orders that a fence of its own can be given.
  virtual std::vector<Order> fence_orders() const = 0;
};

}  // namespace ambit::repair
