#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/program.h"
#include "model/repair/statement_text.h"

namespace ambit::repair {

/// An operation of the program and its place in the source.
struct Place {
  SourceSpan span;
  const Operation* operation = nullptr;  ///< the operation, taken from one of the threads that execute it
};

/// A lock of the program: the source text of its acquire and its release.
struct LockWords {
  std::string take;   ///< "while (atomicCAS(&lock, 0, 1) != 0) {}"
  std::string fence;  ///< "__threadfence();", or empty
  std::string give;   ///< "atomicExch(&lock, 0);"
  std::string name;   ///< "lock"
};

/// The position of an added barrier: at the statement of a place, or at a control statement around this statement.
struct BarrierPosition {
  bool is_after = false;
  unsigned levels_out = 0;  ///< 0 for the statement itself; N for the Nth control statement around it
};

/// The syntax of operations in a language. Most functions return the edits of the source that give an operation another
/// form. They return nothing if the source has no place for this form, or if the operation has no text of its own (in a
/// macro, or over several lines).
class Forms {
 public:
  using Edits = std::optional<std::vector<TextEdit>>;

  virtual ~Forms() = default;
  virtual Edits with_scope(const Place& place, Scope scope) const = 0;
  virtual Edits with_order(const Place& place, Order order) const = 0;
  virtual Edits fence_before(const Place& place, Order order, Scope scope) const = 0;
  virtual Edits without(const Place& fence) const = 0;
  /// Makes a plain access a relaxed atomic access.
  virtual Edits as_atomic(const Place& place, Scope scope) const = 0;
  /// Returns whether the language has atomic reads that are not read-modify-writes.
  virtual bool has_atomic_loads() const = 0;
  /// Turns an update with one operator, such as x++ or x += 1, into one atomic operation.
  virtual Edits as_atomic_update(const Place& place, Scope scope) const = 0;
  virtual Edits in_lock(const Place& place, const LockWords& lock) const = 0;
  /// Returns the lock that a compare-and-swap acquires.
  virtual std::optional<LockWords> lock_of(const Place& place) const = 0;
  /// Returns the edits that add `words` ("__syncthreads();") at a position around the place's statement. Returns
  /// nothing if this position does not exist.
  virtual Edits barrier(const Place& place, const BarrierPosition& position, const std::string& words) const = 0;
  /// Moves the thread into the block `block`.
  virtual Edits in_block(const Thread& thread, int block) const = 0;
  /// Returns the fence in the language's syntax: "__threadfence();".
  virtual std::optional<std::string> fence_words(Order order, Scope scope) const = 0;
  /// Returns the orders that an added fence can have.
  virtual std::vector<Order> fence_orders() const = 0;
};

}  // namespace ambit::repair
