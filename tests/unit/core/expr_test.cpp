#include "core/expr.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>

namespace ambit {
namespace {

Value binary(Op op, ScalarType type, Value a, Value b) { return apply(op, type, std::array{a, b}); }

TEST(ScalarType, WrapExtendsBySign) {
  EXPECT_EQ((ScalarType{8, true}.wrap(200)), -56);
  EXPECT_EQ((ScalarType{8, false}.wrap(-1)), 255);
  EXPECT_EQ(kInt.wrap(Value{1} << 31), std::numeric_limits<std::int32_t>::min());
  EXPECT_EQ(kUnsigned.wrap(-1), 4294967295);
  EXPECT_EQ(kUnsignedLongLong.wrap(-1), -1);  // the bit pattern of 2^64-1
}

TEST(Apply, ArithmeticWrapsInTheOperandType) {
  EXPECT_EQ(binary(Op::Add, kInt, 2147483647, 1), -2147483648LL);
  EXPECT_EQ(binary(Op::Subtract, kUnsigned, 0, 1), 4294967295);
  EXPECT_EQ(binary(Op::Multiply, ScalarType({16, false}), 256, 256), 0);
  EXPECT_EQ(apply(Op::Negate, kUnsigned, std::array<Value, 1>{1}), 4294967295);
}

TEST(Apply, DivisionByZeroGivesAllOnes) {
  EXPECT_EQ(binary(Op::Divide, kInt, 5, 0), -1);
  EXPECT_EQ(binary(Op::Divide, kUnsigned, 5, 0), 4294967295);
  EXPECT_EQ(binary(Op::Remainder, kUnsigned, 5, 0), 4294967295);
  EXPECT_EQ(binary(Op::Divide, kLongLong, std::numeric_limits<Value>::min(), -1), std::numeric_limits<Value>::min());
  EXPECT_EQ(binary(Op::Remainder, kLongLong, std::numeric_limits<Value>::min(), -1), 0);
}

TEST(Apply, ComparisonsUseTheOperandType) {
  EXPECT_EQ(binary(Op::Less, kInt, -1, 1), 1);
  EXPECT_EQ(binary(Op::Less, kUnsigned, -1, 1), 0);
  EXPECT_EQ(binary(Op::Greater, kUnsignedLongLong, -1, 1), 1);
  EXPECT_EQ(binary(Op::Min, kUnsigned, 4294967295, 3), 3);
}

TEST(Apply, ShiftsTakeTheCountModuloTheWidth) {
  EXPECT_EQ(binary(Op::ShiftLeft, kInt, 1, 33), 2);
  EXPECT_EQ(binary(Op::ShiftRight, kInt, -8, 1), -4);
  EXPECT_EQ(binary(Op::ShiftRight, kUnsigned, 4294967288, 1), 2147483644);
}

TEST(Apply, WrappingIncrementAndDecrementAsTheCudaGuideSays) {
  EXPECT_EQ(binary(Op::IncrementWrap, kUnsigned, 2, 3), 3);
  EXPECT_EQ(binary(Op::IncrementWrap, kUnsigned, 3, 3), 0);
  EXPECT_EQ(binary(Op::DecrementWrap, kUnsigned, 0, 3), 3);
  EXPECT_EQ(binary(Op::DecrementWrap, kUnsigned, 9, 3), 3);
  EXPECT_EQ(binary(Op::DecrementWrap, kUnsigned, 2, 3), 1);
}

TEST(Expr, FoldsConstantsAndEvaluatesTheRest) {
  const Expr three = Expr::make(Op::Add, kInt, {Expr::make_constant(1), Expr::make_constant(2)});
  EXPECT_TRUE(three.is_constant());
  EXPECT_EQ(three.constant, 3);
  const Expr sum = Expr::make(Op::Add, kInt, {Expr::make_register(1), three});
  EXPECT_FALSE(sum.is_constant());
  EXPECT_EQ(evaluate(sum, std::array<Value, 2>{100, 4}), 7);
}

TEST(Expr, CastToItsOwnTypeIsNothing) {
  const Expr r = Expr::make_register(0, kInt);
  EXPECT_EQ(Expr::make_cast(r, kInt), r);
  EXPECT_EQ(evaluate(Expr::make_cast(r, ScalarType{8, false}), std::array<Value, 1>{-1}), 255);
}

}  // namespace
}  // namespace ambit
