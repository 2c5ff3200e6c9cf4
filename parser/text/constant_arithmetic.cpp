#include "parser/text/constant_arithmetic.h"

#include <utility>
#include <vector>

#include "base/assert.h"

namespace ambit::parser {
namespace {

std::vector<Expr> list(Expr a) {
  std::vector<Expr> result;
  result.push_back(std::move(a));
  return result;
}

std::vector<Expr> list(Expr a, Expr b) {
  std::vector<Expr> result = list(std::move(a));
  result.push_back(std::move(b));
  return result;
}

std::optional<Op> opposite(Op op) {
  switch (op) {
    case Op::Equal: return Op::NotEqual;
    case Op::NotEqual: return Op::Equal;
    case Op::Less: return Op::GreaterEqual;
    case Op::GreaterEqual: return Op::Less;
    case Op::Greater: return Op::LessEqual;
    case Op::LessEqual: return Op::Greater;
    default: return std::nullopt;
  }
}

}  // namespace

ScalarType promote(ScalarType type) { return type.bits < 32 ? kInt : type; }

ScalarType common_type(ScalarType a, ScalarType b) {
  a = promote(a);
  b = promote(b);
  if (a.bits != b.bits) return a.bits > b.bits ? a : b;  // the wider type represents every value of the narrower type
  return {a.bits, a.is_signed && b.is_signed};
}

Expr make_binary(Op op, Expr a, Expr b) {
  if (op == Op::LogicalAnd || op == Op::LogicalOr) {
    // Even if only one operand is constant, the result is 0, 1, or the other operand converted to 0 or 1.
    for (const bool first : {true, false}) {
      Expr& known = first ? a : b;
      if (!known.is_constant()) continue;
      if ((known.constant != 0) == (op == Op::LogicalOr)) return Expr::make_constant(op == Op::LogicalOr ? 1 : 0);
      return to_boolean(first ? std::move(b) : std::move(a));
    }
    return Expr::make(op, kInt, list(std::move(a), std::move(b)));
  }
  const ScalarType type = op == Op::ShiftLeft || op == Op::ShiftRight ? promote(a.result_type())
                                                                      : common_type(a.result_type(), b.result_type());
  return Expr::make(op, type, list(Expr::make_cast(std::move(a), type), Expr::make_cast(std::move(b), type)));
}

Expr make_unary(UnaryOp op, Expr operand) {
  const ScalarType type = promote(operand.result_type());
  switch (op) {
    case UnaryOp::Plus: return Expr::make_cast(std::move(operand), type);
    case UnaryOp::Negate: return Expr::make(Op::Negate, type, list(Expr::make_cast(std::move(operand), type)));
    case UnaryOp::BitNot: return Expr::make(Op::BitNot, type, list(Expr::make_cast(std::move(operand), type)));
    case UnaryOp::LogicalNot: return negate(std::move(operand));
    case UnaryOp::Dereference:
    case UnaryOp::AddressOf: break;
  }
  AMBIT_ASSERT(false && "an operator on integers");
  return operand;
}

Expr to_boolean(Expr value) {
  if (is_boolean(value.op)) return value;
  if (value.is_constant()) return Expr::make_constant(value.constant != 0 ? 1 : 0);
  const ScalarType type = value.result_type();
  return Expr::make(Op::NotEqual, type, list(std::move(value), Expr::make_constant(0, type)));
}

Expr negate(Expr condition) {
  if (condition.is_constant()) return Expr::make_constant(condition.constant == 0 ? 1 : 0);
  if (condition.op == Op::LogicalNot) return to_boolean(std::move(condition.arguments.front()));
  if (const std::optional<Op> op = opposite(condition.op)) {
    condition.op = *op;
    return condition;
  }
  if (is_boolean(condition.op)) return Expr::make(Op::LogicalNot, kInt, list(std::move(condition)));
  const ScalarType type = condition.result_type();
  return Expr::make(Op::Equal, type, list(std::move(condition), Expr::make_constant(0, type)));
}

DecodedAddress decode_address(Value address) {
  constexpr Value kObjectSize = Value{1} << 32;
  // The absolute value of an index is less than 2^31. Therefore, rounding to the nearest object gives the object that
  // the pointer points into.
  const Value rounded = (address + kObjectSize / 2) >> 32;
  return {rounded - 1, address - rounded * kObjectSize};
}

}  // namespace ambit::parser
