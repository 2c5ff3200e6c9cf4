#include "core/bit_expressions.h"

namespace ambit {
namespace {

/// Builds expressions over unsigned numbers with the width of `x`.
class Word {
 public:
  explicit Word(const Expr& x) : type_{x.result_type().bits, false}, x_(Expr::make_cast(x, type_)) {}

  const Expr& x() const { return x_; }
  int bits() const { return type_.bits; }
  Expr number(Value value) const { return Expr::make_constant(type_.wrap(value), type_); }
  Expr make(Op op, const Expr& a, const Expr& b) const { return Expr::make(op, type_, {a, b}); }
  Expr shifted(const Expr& a, int distance) const { return make(Op::ShiftRight, a, number(distance)); }
  /// Applies the mask `byte` to each byte of `a`.
  Expr fields(const Expr& a, Value byte) const { return make(Op::BitAnd, a, number(0x0101010101010101 * byte)); }
  Expr select(const Expr& condition, const Expr& a, const Expr& b) const {
    return Expr::make(Op::Select, type_, {condition, a, b});
  }

 private:
  ScalarType type_;
  Expr x_;
};

}  // namespace

/// Adds up the bits in fields of 2, 4 and 8 bits (Warren, Hacker's Delight, 5-1).
Expr count_ones(const Expr& x) {
  const Word w(x);
  const Expr twos = w.make(Op::Subtract, w.x(), w.fields(w.shifted(w.x(), 1), 0x55));
  const Expr fours = w.make(Op::Add, w.fields(twos, 0x33), w.fields(w.shifted(twos, 2), 0x33));
  const Expr bytes = w.fields(w.make(Op::Add, fours, w.shifted(fours, 4)), 0x0f);
  return w.shifted(w.make(Op::Multiply, bytes, w.number(0x0101010101010101)), w.bits() - 8);
}

/// Counts the powers of 2 that are greater than the number.
Expr count_leading_zeros(const Expr& x) {
  const Word w(x);
  Expr count = w.number(0);
  for (int i = 0; i < w.bits(); ++i) {
    const Expr is_below =
        w.make(Op::Less, w.x(), w.number(static_cast<Value>(std::uint64_t{1} << static_cast<unsigned>(i))));
    count = w.make(Op::Add, count, w.select(is_below, w.number(1), w.number(0)));
  }
  return count;
}

/// Counts the zeros below the lowest 1, and adds 1.
Expr find_first_set(const Expr& x) {
  const Word w(x);
  const Expr complement = w.make(Op::BitXor, w.x(), w.number(-1));
  const Expr below = w.make(Op::BitAnd, complement, w.make(Op::Subtract, w.x(), w.number(1)));
  const Expr is_zero = w.make(Op::Equal, w.x(), w.number(0));
  return w.select(is_zero, w.number(0), w.make(Op::Add, count_ones(below), w.number(1)));
}

Expr reverse_bits(const Expr& x) {
  const Word w(x);
  Expr result = w.number(0);
  for (int i = 0; i < w.bits(); ++i) {
    const Expr bit = w.make(Op::BitAnd, w.shifted(w.x(), i), w.number(1));
    result = w.make(Op::BitOr, result, w.make(Op::ShiftLeft, bit, w.number(w.bits() - 1 - i)));
  }
  return result;
}

}  // namespace ambit
