#include "parser/ptx/mbarrier_layout.h"

#include <algorithm>
#include <bit>

namespace ambit::parser::ptx {
namespace {

constexpr unsigned kPhaseBits = 6;
/// The transaction count is between -kMostTransactions and kMostTransactions.
constexpr Value kMostTransactions = (Value{1} << 20) - 1;
/// The cell can represent transaction counts up to kRounds times the sum of all transaction counts in the test.
constexpr Value kRounds = 8;

unsigned bits_for(Value value) { return static_cast<unsigned>(std::bit_width(static_cast<std::uint64_t>(value))); }

}  // namespace

MbarrierLayout::MbarrierLayout(const MbarrierUse& use, Value count, ScalarType type)
    : type_(type),
      count_(count),
      unit_(std::max<Value>(use.unit, 1)),
      is_packed_(use.is_packed),
      is_invalidated_(use.is_invalidated) {
  if (!is_packed_) return;
  if (use.unit > 0) transaction_bits_ = 1 + bits_for(kRounds * (use.bytes / unit_));
  pending_bits_ = bits_for(count + kRounds * use.later);
  if (use.has_drop) expected_bits_ = bits_for(count);
  fits_ = phase_shift() + kPhaseBits < type_.bits;
  if (!fits_) transaction_bits_ = pending_bits_ = expected_bits_ = 1;  // the caller reports an error
}

MbarrierCell MbarrierLayout::cell() const {
  return {count_, unit_, transaction_bits_, pending_bits_, is_packed_ ? phase_shift() : 0};
}

Expr MbarrierLayout::stays_in_range(const Expr& state, Value bytes) const {
  const Value limit = kMostTransactions / unit_;
  const bool can_exceed = transaction_bits_ > 0 && (Value{1} << (transaction_bits_ - 1)) - 1 > limit;
  if (!can_exceed || bytes == 0) return constant(1);
  const Value sign = Value{1} << (transaction_bits_ - 1);
  const Expr bits = make(Op::BitAnd, state, constant(2 * sign - 1));
  const Expr count = make(Op::Subtract, make(Op::BitXor, bits, constant(sign)), constant(sign));
  if (bytes > 0) return make(Op::LessEqual, count, constant(limit - bytes / unit_));
  return make(Op::GreaterEqual, count, constant(-limit - bytes / unit_));
}

Expr MbarrierLayout::phase(Expr state) const {
  if (is_packed_) return make(Op::ShiftRight, std::move(state), constant(phase_shift()));
  return count_ == 1 ? std::move(state) : make(Op::Divide, std::move(state), constant(count_));
}

Expr MbarrierLayout::pending_count(const Expr& state) const {
  if (!is_packed_) return make(Op::Subtract, constant(count_), make(Op::Remainder, state, constant(count_)));
  return make(Op::ShiftRight, make(Op::BitAnd, state, constant(counts_mask())), constant(transaction_bits_));
}

/// Adds `bytes` to the transaction count. A carry does not change the other fields.
Expr MbarrierLayout::with_transactions(const Expr& state, Value bytes) const {
  if (bytes == 0) return state;
  const Value mask = (Value{1} << transaction_bits_) - 1;
  const Expr sum = make(Op::Add, state, constant(bytes / unit_));
  return make(Op::BitOr, make(Op::BitAnd, state, constant(~mask)), make(Op::BitAnd, sum, constant(mask)));
}

/// If both counts are 0, completes the phase and returns the first state of the next phase; otherwise, returns `state`.
Expr MbarrierLayout::finished(const Expr& state) const {
  const Expr counts = make(Op::BitAnd, state, constant(counts_mask()));
  const Expr is_over = make(Op::Equal, counts, constant(0));
  Expr refill = constant(pending(count_));
  if (expected_bits_ > 0) {
    const Expr field = make(Op::ShiftRight, state, constant(expected_shift()));
    const Expr expected = make(Op::BitAnd, field, constant((Value{1} << expected_bits_) - 1));
    refill = make(Op::ShiftLeft, expected, constant(transaction_bits_));
  }
  const Expr next = make(Op::Add, make(Op::Add, state, constant(phase_size())), refill);
  return Expr::make(Op::Select, type_, {is_over, next, state});
}

Expr MbarrierLayout::after_arrival(const Expr& state, Value arrivals, Value bytes, bool drops) const {
  if (!is_packed_) {  // too many arrivals are undefined behaviour; here they complete the phase
    return make(Op::Add, state, make(Op::Min, pending_count(state), constant(arrivals)));
  }
  Expr next = with_transactions(state, bytes);
  next = make(Op::Subtract, next, constant(pending(arrivals) + (drops ? expected(arrivals) : 0)));
  return finished(next);
}

Expr MbarrierLayout::after_expect(const Expr& state, Value bytes) const {
  return finished(with_transactions(state, bytes));
}

Expr MbarrierLayout::after_joining(const Expr& state, Value arrivals) const {
  return make(Op::Add, state, constant(pending(arrivals)));
}

Expr MbarrierLayout::is_live(const Expr& state) const {
  return make(Op::NotEqual, make(Op::BitAnd, state, constant(counts_mask())), constant(0));
}

Expr MbarrierLayout::has_pending(const Expr& state, Value arrivals) const {
  if (!is_packed_) {
    return arrivals <= 1 ? constant(1) : make(Op::GreaterEqual, pending_count(state), constant(arrivals));
  }
  const Value mask = counts_mask() & ~((Value{1} << transaction_bits_) - 1);
  return make(Op::GreaterEqual, make(Op::BitAnd, state, constant(mask)), constant(pending(arrivals)));
}

}  // namespace ambit::parser::ptx
