#include "parser/compiled/value_bounds.h"

#include <gtest/gtest.h>

#include <array>
#include <random>

namespace ambit::parser::compiled {
namespace {

/// Makes random expressions over four registers, with constants that are typical of address arithmetic.
class RandomExpressions {
 public:
  Expr make(int depth) {
    const ScalarType type = kTypes[below(4)];
    if (depth == 0 || below(6) == 0) return leaf(type);
    if (below(5) == 0) return Expr::make_cast(make(depth - 1), type);
    if (below(8) == 0) return Expr::make(Op::Select, type, {make(depth - 1), make(depth - 1), make(depth - 1)});
    constexpr std::array kOps = {Op::Add,    Op::Subtract, Op::Multiply, Op::ShiftLeft, Op::ShiftRight,
                                 Op::BitAnd, Op::BitOr,    Op::BitXor,   Op::Divide,    Op::Remainder,
                                 Op::Min,    Op::Max,      Op::Less,     Op::Equal};
    const Op op = kOps[below(static_cast<unsigned>(kOps.size()))];
    if (op == Op::ShiftLeft || op == Op::ShiftRight) {
      return Expr::make(op, type, {make(depth - 1), Expr::make_constant(below(6), type)});
    }
    return Expr::make(op, type, {make(depth - 1), below(2) != 0 ? constant(type) : make(depth - 1)});
  }

  Value value() { return below(3) == 0 ? static_cast<Value>(random_()) : Value{below(40)} - 8; }
  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }

 private:
  static constexpr std::array kTypes = {kInt, kUnsigned, kLongLong, ScalarType{8, false}};

  Expr constant(ScalarType type) {
    constexpr std::array<Value, 8> kConstants = {0, 1, 3, 4, 12, 15, -4, 64};
    return Expr::make_constant(kConstants[below(8)], type);
  }
  Expr leaf(ScalarType type) { return below(4) == 0 ? constant(type) : Expr::make_register(below(4), type); }

  std::mt19937_64 random_{7};
};

TEST(ValueBounds, HoldForEveryValue) {
  RandomExpressions random;
  for (int i = 0; i < 4000; ++i) {
    const Expr expr = random.make(4);
    const Bounds bounds = bounds_of(expr);
    const Value divisor = divisor_of(expr);
    const Value bits = possible_bits(expr);
    for (int j = 0; j < 40; ++j) {
      const std::array<Value, 4> registers = {random.value(), random.value(), random.value(), random.value()};
      const Value value = evaluate(expr, registers);
      ASSERT_LE(bounds.low, value);
      ASSERT_GE(bounds.high, value);
      ASSERT_EQ(expr.result_type().wrap(value & bits), value);
      // The bounds assume that products of 64 bits do not wrap, because no address is computed from values of this
      // size.
      const bool is_small = value > -(Value{1} << 40) && value < (Value{1} << 40);
      if (expr.type.bits == 64 && !is_small) continue;
      if (divisor == 0) {
        ASSERT_EQ(value, 0);
      }
    }
  }
}

Expr reg(ScalarType type = kUnsigned) { return Expr::make_register(1, type); }
Expr number(Value value, ScalarType type = kUnsigned) { return Expr::make_constant(value, type); }

TEST(ValueBounds, OfMasksAndProducts) {
  const Expr masked = Expr::make(Op::BitAnd, kUnsigned, {reg(), number(3)});
  const Expr scaled = Expr::make(Op::Multiply, kUnsigned, {masked, number(12)});
  EXPECT_EQ(bounds_of(scaled).high, 36);
  EXPECT_EQ(divisor_of(scaled), 12);
  // A product with the factor 12 can wrap modulo 2^32, so only the factor 4 is certain to divide it.
  EXPECT_EQ(divisor_of(Expr::make(Op::Multiply, kUnsigned, {reg(), number(12)})), 4);
  EXPECT_EQ(possible_bits(Expr::make(Op::ShiftLeft, kUnsigned, {masked, number(2)})), 12);
}

}  // namespace
}  // namespace ambit::parser::compiled
