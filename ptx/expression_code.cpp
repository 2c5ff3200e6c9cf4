// Writes instructions that compute values and conditions.

#include <fmt/format.h>

#include <utility>

#include "core/wide_value.h"
#include "ptx/code_writer.h"

namespace ambit::ptx {
namespace {

ScalarType in_register(ScalarType type) { return type.bits < 32 ? kInt : type; }

/// Returns the opcode of an operator; Opcode::Unknown if there is no opcode.
Opcode arithmetic_opcode(Op op) {
  switch (op) {
    case Op::Add: return Opcode::Add;
    case Op::Subtract: return Opcode::Sub;
    case Op::Multiply: return Opcode::Mul;
    case Op::Divide: return Opcode::Div;
    case Op::Remainder: return Opcode::Rem;
    case Op::BitAnd: return Opcode::And;
    case Op::BitOr: return Opcode::Or;
    case Op::BitXor: return Opcode::Xor;
    case Op::Min: return Opcode::Min;
    case Op::Max: return Opcode::Max;
    default: return Opcode::Unknown;
  }
}

/// Returns the branch instruction for a comparison. If `when` is false, the branch is taken if the comparison is false.
std::string_view branch_opcode(Op op, bool when) {
  switch (op) {
    case Op::Equal: return when ? "beq" : "bne";
    case Op::NotEqual: return when ? "bne" : "beq";
    case Op::Less: return when ? "blt" : "bge";
    case Op::LessEqual: return when ? "ble" : "bgt";
    case Op::Greater: return when ? "bgt" : "ble";
    case Op::GreaterEqual: return when ? "bge" : "blt";
    default: return {};
  }
}

}  // namespace

OperandText Code::constant(Value value, ScalarType type) const {
  const Value wrapped = type.wrap(value);
  const bool is_large = !type.is_signed && wrapped < 0;
  return {is_large ? fmt::format("{}", static_cast<std::uint64_t>(wrapped)) : fmt::format("{}", wrapped), type,
          wrapped};
}

OperandText Code::value(const Expr& expr, const std::string& into) {
  switch (expr.op) {
    case Op::Const: return is_address(expr) ? moved_address(expr.constant, into) : constant(expr.constant, expr.type);
    case Op::Register: {
      const std::string& name = names_.reg(thread_, expr.reg);
      read_.insert(name);
      return convert({name, type_of(expr.reg), std::nullopt}, expr.type, into);
    }
    case Op::Cast:
      if (is_address(expr)) return address_value(expr, into);
      return convert(value(expr.arguments[0]), expr.type, into);
    case Op::LogicalNot:
    case Op::LogicalAnd:
    case Op::LogicalOr:
    case Op::Equal:
    case Op::NotEqual:
    case Op::Less:
    case Op::LessEqual:
    case Op::Greater:
    case Op::GreaterEqual: return truth(expr);
    case Op::Select: return choice(expr);
    case Op::ShiftLeft:
    case Op::ShiftRight: return shift(expr, into);
    default: return is_address(expr) || is_field_step(expr) ? address_value(expr, into) : arithmetic(expr, into);
  }
}

/// Emits a computation. `type` must have at least 32 bits.
OperandText Code::compute(Opcode opcode, ScalarType type, const OperandText& a, const OperandText& b,
                          const std::string& into) {
  OperandText result{into.empty() ? fresh() : into, type, std::nullopt};
  emit(opcode, suffix(type), {result.text, a.text, b.text});
  return result;
}

OperandText Code::convert(OperandText operand, ScalarType type, const std::string& into) {
  if (operand.type == type) return operand;
  if (operand.constant) return constant(*operand.constant, type);
  if (is_wide(type)) return operand;  // the register already contains the value
  if (type.bits < 32) return narrow(operand, type, into);
  OperandText result{into.empty() ? fresh() : into, type, std::nullopt};
  emit(Opcode::Mov, suffix(type), {result.text, operand.text});
  return result;
}

/// Truncates a value to the bits of a narrow type and extends them to a 32-bit register. An unsigned type needs only an
/// `and`. For a signed type, the code flips the sign bit and then subtracts the value of this bit. The subtraction
/// copies the sign to the upper bits.
OperandText Code::narrow(const OperandText& operand, ScalarType type, const std::string& into) {
  const OperandText wide = operand.type.bits > 32 ? convert(operand, kInt) : operand;
  const Value sign = Value{1} << (type.bits - 1U);
  OperandText low =
      compute(Opcode::And, kInt, wide, constant(2 * sign - 1, kInt), type.is_signed ? std::string() : into);
  if (type.is_signed) {
    const OperandText flipped = compute(Opcode::Xor, kInt, low, constant(sign, kInt), {});
    low = compute(Opcode::Sub, kInt, flipped, constant(sign, kInt), into);
  }
  low.type = type;
  return low;
}

OperandText Code::arithmetic(const Expr& expr, const std::string& into) {
  const ScalarType type = in_register(expr.type);
  const auto argument = [&](std::size_t i) {
    OperandText operand = convert(value(expr.arguments[i]), expr.type);
    operand.type = type;  // values of the narrow type are already extended to `type`
    return operand;
  };
  const std::string direct = type == expr.type ? into : std::string();
  OperandText result;
  if (expr.op == Op::Negate) {
    result = compute(Opcode::Sub, type, constant(0, type), argument(0), direct);
  } else if (expr.op == Op::BitNot) {
    result = compute(Opcode::Xor, type, argument(0), constant(-1, type), direct);
  } else if (const Opcode opcode = arithmetic_opcode(expr.op); opcode != Opcode::Unknown) {
    const OperandText a = argument(0);
    const OperandText b = argument(1);
    result = compute(opcode, type, a, b, direct);
  } else {
    fail(fmt::format("the operator '{}' has no instruction in the PTX litmus format", to_string(expr.op)));
    return constant(0, expr.type);
  }
  return convert(std::move(result), expr.type, into);
}

/// Writes a shift by a constant without a shift instruction, because the format has no shifts. A left shift becomes a
/// multiplication, and a right shift of an unsigned number becomes a division.
OperandText Code::shift(const Expr& expr, const std::string& into) {
  const Expr& count = expr.arguments[1];
  const bool is_left = expr.op == Op::ShiftLeft;
  if (!count.is_constant() || (!is_left && expr.type.is_signed) || expr.type.bits < 32) {
    fail(is_left ? "the PTX litmus format has no shift by a number that is not constant"
                 : "the PTX litmus format has no right shift of a signed number, and no shift by a number that is not "
                   "constant");
    return constant(0, expr.type);
  }
  const auto bits = static_cast<unsigned>(static_cast<std::uint64_t>(count.constant) % expr.type.bits);
  const OperandText factor = constant(static_cast<Value>(std::uint64_t{1} << bits), expr.type);
  const OperandText operand = convert(value(expr.arguments[0]), expr.type);
  return compute(is_left ? Opcode::Mul : Opcode::Div, expr.type, operand, factor, into);
}

/// Computes 1 or 0 into a new register. The result must be in a new register, because the expression may read the
/// register to which the result is assigned.
OperandText Code::truth(const Expr& expr) {
  OperandText result{fresh(), kInt, std::nullopt};
  const std::string done = new_label();
  emit(Opcode::Mov, suffix(kInt), {result.text, "1"});
  branch(expr, true, done);
  emit(Opcode::Mov, suffix(kInt), {result.text, "0"});
  bind(done);
  return result;
}

OperandText Code::choice(const Expr& expr) {
  const ScalarType type = expr.type;
  const std::string modifiers = suffix(in_register(type));
  const auto side = [&](std::size_t i) {
    return is_address(expr.arguments[i]) ? address_value(expr.arguments[i], {})
                                         : convert(value(expr.arguments[i]), type);
  };
  OperandText result{fresh(), type, std::nullopt};
  const std::string otherwise = new_label();
  const std::string done = new_label();
  branch(expr.arguments[0], false, otherwise);
  emit(Opcode::Mov, modifiers, {result.text, side(1).text});
  jump(done);
  bind(otherwise);
  const OperandText other = side(2);
  emit(Opcode::Mov, modifiers, {result.text, other.text});
  bind(done);
  return result;
}

void Code::compare(const Expr& expr, bool when, const std::string& label) {
  const ScalarType type = in_register(expr.type);
  const OperandText a = convert(value(expr.arguments[0]), expr.type);
  const OperandText b = convert(value(expr.arguments[1]), expr.type);
  emit(fmt::format("{}{} {}, {}, {}", branch_opcode(expr.op, when), suffix(type), a.text, b.text, label));
}

void Code::branch(const Expr& condition, bool when, const std::string& label) {
  const auto argument = [&](std::size_t i) -> const Expr& { return condition.arguments[i]; };
  if (condition.is_constant()) {
    if ((condition.constant != 0) == when) jump(label);
  } else if (condition.op == Op::LogicalNot) {
    branch(argument(0), !when, label);
  } else if (condition.op == Op::LogicalAnd || condition.op == Op::LogicalOr) {
    // `a || b` is true if one operand is true, and `a && b` is false if one operand is false. For `||` and for `&&`,
    // two branches to the same label suffice: one branch for each operand.
    if ((condition.op == Op::LogicalOr) == when) {
      branch(argument(0), when, label);
      branch(argument(1), when, label);
    } else {
      const std::string over = new_label();
      branch(argument(0), !when, over);
      branch(argument(1), when, label);
      bind(over);
    }
  } else if (!branch_opcode(condition.op, when).empty()) {
    compare(condition, when, label);
  } else {
    const OperandText tested = value(condition);
    emit(fmt::format("{}{} {}, 0, {}", when ? "bne" : "beq", suffix(in_register(tested.type)), tested.text, label));
  }
}

}  // namespace ambit::ptx
