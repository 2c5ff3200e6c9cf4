#include "core/expr.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/assert.h"

namespace ambit {
namespace {

using Bits = std::uint64_t;

Bits to_bits(Value value) { return static_cast<Bits>(value); }
Value to_value(Bits bits) { return static_cast<Value>(bits); }

bool less(Value a, Value b, ScalarType type) { return type.is_signed ? a < b : to_bits(a) < to_bits(b); }

Value divide(Value a, Value b, ScalarType type, bool remainder) {
  if (b == 0) return -1;
  if (!type.is_signed) return to_value(remainder ? to_bits(a) % to_bits(b) : to_bits(a) / to_bits(b));
  if (b == -1) return remainder ? 0 : to_value(Bits{0} - to_bits(a));
  return remainder ? a % b : a / b;
}

Value shift_right(Value a, unsigned count, ScalarType type) {
  return type.is_signed ? a >> count : to_value(to_bits(a) >> count);
}

Value apply_binary(Op op, ScalarType type, Value a, Value b) {
  const auto count = static_cast<unsigned>(to_bits(b) % type.bits);
  switch (op) {
    case Op::Add: return to_value(to_bits(a) + to_bits(b));
    case Op::Subtract: return to_value(to_bits(a) - to_bits(b));
    case Op::Multiply: return to_value(to_bits(a) * to_bits(b));
    case Op::Divide: return divide(a, b, type, false);
    case Op::Remainder: return divide(a, b, type, true);
    case Op::ShiftLeft: return to_value(to_bits(a) << count);
    case Op::ShiftRight: return shift_right(a, count, type);
    case Op::BitAnd: return a & b;
    case Op::BitOr: return a | b;
    case Op::BitXor: return a ^ b;
    case Op::Min: return less(a, b, type) ? a : b;
    case Op::Max: return less(a, b, type) ? b : a;
    case Op::Equal: return a == b ? 1 : 0;
    case Op::NotEqual: return a != b ? 1 : 0;
    case Op::Less: return less(a, b, type) ? 1 : 0;
    case Op::LessEqual: return less(b, a, type) ? 0 : 1;
    case Op::Greater: return less(b, a, type) ? 1 : 0;
    case Op::GreaterEqual: return less(a, b, type) ? 0 : 1;
    case Op::LogicalAnd: return a != 0 && b != 0 ? 1 : 0;
    case Op::LogicalOr: return a != 0 || b != 0 ? 1 : 0;
    case Op::IncrementWrap: return less(a, b, type) ? a + 1 : 0;
    case Op::DecrementWrap: return a == 0 || less(b, a, type) ? b : a - 1;
    default: break;
  }
  AMBIT_ASSERT(false && "a binary operator");
  return 0;
}

}  // namespace

std::size_t arity(Op op) {
  switch (op) {
    case Op::Const:
    case Op::Register: return 0;
    case Op::Negate:
    case Op::BitNot:
    case Op::LogicalNot:
    case Op::Cast: return 1;
    case Op::Select: return 3;
    default: return 2;
  }
}

Value ScalarType::wrap(Value value) const {
  if (bits >= 64) return value;
  if (bits == 0) return 0;  // a parameter without size
  const Bits mask = (Bits{1} << bits) - 1;
  Bits low = to_bits(value) & mask;
  if (is_signed && ((low >> (bits - 1U)) & 1U) != 0) low |= ~mask;
  return to_value(low);
}

bool is_comparison(Op op) {
  return op == Op::Equal || op == Op::NotEqual || op == Op::Less || op == Op::LessEqual || op == Op::Greater ||
         op == Op::GreaterEqual;
}

bool is_boolean(Op op) {
  switch (op) {
    case Op::LogicalNot:
    case Op::Equal:
    case Op::NotEqual:
    case Op::Less:
    case Op::LessEqual:
    case Op::Greater:
    case Op::GreaterEqual:
    case Op::LogicalAnd:
    case Op::LogicalOr: return true;
    default: return false;
  }
}

Value apply(Op op, ScalarType operand_type, std::span<const Value> arguments) {
  AMBIT_ASSERT(arguments.size() == arity(op) && arity(op) > 0);
  // Convert the operands to the operation's type first: -1 compared as an unsigned number is 2^32-1.
  std::array<Value, 3> wrapped{};
  const std::size_t first = op == Op::Select || op == Op::LogicalNot ? 1 : 0;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const bool keep = i < first || op == Op::LogicalAnd || op == Op::LogicalOr;
    wrapped[i] = keep ? arguments[i] : operand_type.wrap(arguments[i]);
  }
  Value result = 0;
  switch (op) {
    case Op::Negate: result = to_value(Bits{0} - to_bits(wrapped[0])); break;
    case Op::BitNot: result = ~wrapped[0]; break;
    case Op::LogicalNot: result = wrapped[0] == 0 ? 1 : 0; break;
    case Op::Cast: result = wrapped[0]; break;
    case Op::Select: result = wrapped[0] != 0 ? wrapped[1] : wrapped[2]; break;
    default: result = apply_binary(op, operand_type, wrapped[0], wrapped[1]); break;
  }
  return is_boolean(op) ? result : operand_type.wrap(result);
}

std::string_view to_string(Op op) {
  switch (op) {
    case Op::Const: return "const";
    case Op::Register: return "register";
    case Op::Negate: return "-";
    case Op::BitNot: return "~";
    case Op::LogicalNot: return "!";
    case Op::Cast: return "cast";
    case Op::Add: return "+";
    case Op::Subtract: return "-";
    case Op::Multiply: return "*";
    case Op::Divide: return "/";
    case Op::Remainder: return "%";
    case Op::ShiftLeft: return "<<";
    case Op::ShiftRight: return ">>";
    case Op::BitAnd: return "&";
    case Op::BitOr: return "|";
    case Op::BitXor: return "^";
    case Op::Min: return "min";
    case Op::Max: return "max";
    case Op::Equal: return "==";
    case Op::NotEqual: return "!=";
    case Op::Less: return "<";
    case Op::LessEqual: return "<=";
    case Op::Greater: return ">";
    case Op::GreaterEqual: return ">=";
    case Op::LogicalAnd: return "&&";
    case Op::LogicalOr: return "||";
    case Op::IncrementWrap: return "inc";
    case Op::DecrementWrap: return "dec";
    case Op::Select: return "?:";
  }
  return "?";
}

Expr Expr::make_constant(Value value, ScalarType type) {
  Expr expr;
  expr.type = type;
  expr.constant = type.wrap(value);
  return expr;
}

Expr Expr::make_register(RegisterId reg, ScalarType type) {
  Expr expr;
  expr.op = Op::Register;
  expr.type = type;
  expr.reg = reg;
  return expr;
}

Expr Expr::make(Op op, ScalarType operand_type, std::vector<Expr> arguments) {
  AMBIT_ASSERT(arguments.size() == arity(op));
  Expr expr;
  expr.op = op;
  expr.type = operand_type;
  if (std::all_of(arguments.begin(), arguments.end(), [](const Expr& a) { return a.is_constant(); })) {
    std::array<Value, 3> values{};
    for (std::size_t i = 0; i < arguments.size(); ++i) values[i] = arguments[i].constant;
    return make_constant(apply(op, operand_type, std::span(values.data(), arguments.size())), expr.result_type());
  }
  expr.arguments = std::move(arguments);
  return expr;
}

Expr Expr::make_cast(Expr argument, ScalarType target) {
  if (argument.result_type() == target) return argument;
  std::vector<Expr> arguments;
  arguments.push_back(std::move(argument));
  return make(Op::Cast, target, std::move(arguments));
}

ScalarType Expr::result_type() const { return is_boolean(op) ? kInt : type; }

Value evaluate(const Expr& expr, std::span<const Value> registers) {
  switch (expr.op) {
    case Op::Const: return expr.constant;
    case Op::Register: return expr.type.wrap(registers[expr.reg]);
    default: break;
  }
  std::array<Value, 3> values{};
  for (std::size_t i = 0; i < expr.arguments.size(); ++i) values[i] = evaluate(expr.arguments[i], registers);
  return apply(expr.op, expr.type, std::span(values.data(), expr.arguments.size()));
}

}  // namespace ambit
