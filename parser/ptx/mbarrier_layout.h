#pragma once

#include "core/program.h"

namespace ambit::parser::ptx {

/// The uses of an mbarrier object in a test. The uses determine the layout of the object's cell.
struct MbarrierUse {
  Value unit = 0;   ///< greatest common divisor of all transaction counts, in bytes; 0 without transactions
  Value bytes = 0;  ///< sum of all transaction counts
  Value later = 0;  ///< number of arrivals that cp.async.mbarrier.arrive may add to a phase
  unsigned inits = 0;
  bool is_packed = false;  ///< whether the cell needs fields in addition to the arrival count
  bool has_drop = false;
  bool is_invalidated = false;  ///< whether a thread executes mbarrier.inval
};

/// The representation of an mbarrier's state (PTX ISA 9.7.13.15.1) in one memory cell. A packed cell has these fields,
/// from the lowest bit: transaction count (two's complement, in units), pending arrivals, expected arrivals (if the
/// test has arrive_drop), phase. A phase completes as soon as transaction count and pending arrivals are 0. Therefore,
/// a packed cell whose transaction count and pending arrivals are both 0 is not initialised. If an object needs only
/// the arrival count, the object's cell is not packed. A cell that is not packed counts arrivals, and the phase is this
/// count divided by the number of arrivals per phase.
class MbarrierLayout {
 public:
  /// `count` is the number of arrivals per phase; `type` is the type of the cell.
  MbarrierLayout(const MbarrierUse& use, Value count, ScalarType type);

  bool is_packed() const { return is_packed_; }
  /// Returns whether a thread may invalidate the object (mbarrier.inval).
  bool is_invalidated() const { return is_invalidated_; }
  /// Returns whether the counts leave enough bits for the phase.
  bool fits() const { return fits_; }
  /// Returns the divisor that gives the phase: phase = cell value / phase_size().
  Value phase_size() const { return is_packed_ ? Value{1} << phase_shift() : count_; }
  Value initialised() const { return initialised(count_); }
  /// Returns the initial state of a cell with `count` arrivals. If `count` is not the layout's count, the layout must
  /// store expected arrivals (MbarrierUse::has_drop).
  Value initialised(Value count) const { return is_packed_ ? pending(count) | expected(count) : 0; }

  /// Returns a description of the layout, with which reports show states to users.
  MbarrierCell cell() const;

  Expr phase(Expr state) const;
  /// Returns the number of pending arrivals.
  Expr pending_count(const Expr& state) const;
  /// Returns the state after the expected bytes have increased by `bytes` and `arrivals` threads have arrived. If
  /// `drops` is set, later phases expect fewer arrivals.
  Expr after_arrival(const Expr& state, Value arrivals, Value bytes, bool drops) const;
  /// Returns the state after the expected bytes have increased by `bytes`. A negative number means that bytes have
  /// arrived.
  Expr after_expect(const Expr& state, Value bytes) const;
  /// Returns the state after the pending arrivals of this phase have increased by `arrivals`.
  Expr after_joining(const Expr& state, Value arrivals) const;
  /// Returns the condition that the object is initialised.
  Expr is_live(const Expr& state) const;
  /// Returns the condition that an increase by `bytes` keeps the transaction count in range (PTX ISA
  /// 9.7.13.15.1).
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
