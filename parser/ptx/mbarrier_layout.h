#pragma once

#include "core/program.h"

namespace ambit::parser::ptx {

/// A test's uses of an mbarrier object, which determine the layout of the object's cell.
struct MbarrierUse {
  Value unit = 0;   ///< greatest common divisor of all transaction counts, in bytes; 0 without transactions
  Value bytes = 0;  ///< sum of all transaction counts
  Value later = 0;  ///< number of arrivals that cp.async.mbarrier.arrive may add to a phase
  unsigned inits = 0;
  bool is_packed = false;  ///< whether a count of arrivals does not suffice
  bool has_drop = false;
  bool is_invalidated = false;  ///< whether a thread executes mbarrier.inval
};

/// The state of an mbarrier (PTX ISA 9.7.13.15.1) in one cell. A packed cell has these fields, from the lowest bit:
/// transaction count (two's complement, in units), pending arrivals, expected arrivals (if an arrival drops), phase.
/// The phase of an initialised object ends as soon as transaction count and pending arrivals are 0. A cell in which
/// both are 0 is therefore not initialised. The cell of an object that does not need these fields is not packed: it
/// counts arrivals, and the phase is this count divided by the arrivals per phase.
class MbarrierLayout {
 public:
  /// `count` is the number of arrivals per phase; `type` is the type of the cell.
  MbarrierLayout(const MbarrierUse& use, Value count, ScalarType type);

  bool is_packed() const { return is_packed_; }
  /// Returns whether the object may become invalid after its initialisation.
  bool is_invalidated() const { return is_invalidated_; }
  /// Returns whether the counts leave enough bits for the phase.
  bool fits() const { return fits_; }
  /// Returns the number by which a cell's value is divided to get the phase.
  Value phase_size() const { return is_packed_ ? Value{1} << phase_shift() : count_; }
  Value initialised() const { return initialised(count_); }
  /// Like initialised(), for a cell with a smaller count; the layout must store expected arrivals
  /// (MbarrierUse::has_drop).
  Value initialised(Value count) const { return is_packed_ ? pending(count) | expected(count) : 0; }

  /// Returns the layout in the form that is used to show states to users.
  MbarrierCell cell() const;

  Expr phase(Expr state) const;
  /// Returns the number of pending arrivals.
  Expr pending_count(const Expr& state) const;
  /// Returns the state after `bytes` more bytes are expected and `arrivals` threads arrive. If `drops`, later phases
  /// expect fewer arrivals.
  Expr after_arrival(const Expr& state, Value arrivals, Value bytes, bool drops) const;
  /// Returns the state after `bytes` more bytes are expected; a negative number means that bytes have arrived.
  Expr after_expect(const Expr& state, Value bytes) const;
  /// Returns the state with `arrivals` more pending arrivals in this phase.
  Expr after_joining(const Expr& state, Value arrivals) const;
  /// Returns the condition that the object is initialised.
  Expr is_live(const Expr& state) const;
  /// Returns the condition that the transaction count stays in its range (PTX ISA 9.7.13.15.1) if `bytes` more bytes
  /// are expected.
  Expr stays_in_range(const Expr& state, Value bytes) const;
  /// Returns the condition that at least `arrivals` arrivals are pending.
  Expr has_pending(const Expr& state, Value arrivals) const;

 private:
  unsigned expected_shift() const { return transaction_bits_ + pending_bits_; }
  unsigned phase_shift() const { return expected_shift() + expected_bits_; }
  Value pending(Value count) const { return count << transaction_bits_; }
  Value expected(Value count) const { return expected_bits_ == 0 ? 0 : count << expected_shift(); }
  Value counts_mask() const { return (Value{1} << expected_shift()) - 1; }
  Expr with_transactions(const Expr& state, Value bytes) const;
  Expr finished(const Expr& state) const;
  Expr constant(Value value) const { return Expr::make_constant(value, type_); }
  Expr make(Op op, Expr a, Expr b) const { return Expr::make(op, type_, {std::move(a), std::move(b)}); }

  ScalarType type_;
  Value count_;
  Value unit_;
  bool is_packed_;
  bool is_invalidated_;
  bool fits_ = true;
  unsigned transaction_bits_ = 0;
  unsigned pending_bits_ = 0;
  unsigned expected_bits_ = 0;
};

}  // namespace ambit::parser::ptx
