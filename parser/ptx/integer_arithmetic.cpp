#include "parser/ptx/integer_arithmetic.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/bit_expressions.h"

namespace ambit::parser::ptx {
namespace {

using IsaInstruction = ambit::ptx::Instruction;
using IsaModifier = ambit::ptx::Modifier;
using IsaOpcode = ambit::ptx::Opcode;

Expr constant_of(Value value, ScalarType type) { return Expr::make_constant(value, type); }
Expr as(const Expr& expr, ScalarType type) { return Expr::make_cast(expr, type); }

/// Returns x << n or x >> n with PTX semantics: a count of at least the width shifts out all bits.
Expr shift(Op op, ScalarType type, const Expr& x, const Expr& count) {
  const Expr all_out = op == Op::ShiftRight && type.is_signed
                           ? Expr::make(Op::ShiftRight, type, {x, constant_of(type.bits - 1, type)})
                           : constant_of(0, type);
  const Expr shifted = Expr::make(op, type, {x, as(count, kUnsigned)});
  if (count.is_constant()) return kUnsigned.wrap(count.constant) < type.bits ? shifted : all_out;
  const Expr fits = Expr::make(Op::Less, kUnsigned, {count, constant_of(type.bits, kUnsigned)});
  return Expr::make(Op::Select, type, {fits, shifted, all_out});
}

/// Applies a bitwise function to three words. `table` is the function's truth table (lop3, ISA 9.7.8.6).
Expr look_up(ScalarType type, std::span<const Expr> inputs, Value table) {
  Expr result = constant_of(0, type);
  for (unsigned row = 0; row < 8; ++row) {
    if (((table >> row) & 1) == 0) continue;
    Expr product = constant_of(-1, type);
    for (unsigned i = 0; i < 3; ++i) {
      const bool is_set = ((row >> (2 - i)) & 1U) != 0;
      const Expr input = is_set ? inputs[i] : Expr::make(Op::BitNot, type, {inputs[i]});
      product = product.is_constant() && type.wrap(product.constant) == type.wrap(-1)
                    ? input
                    : Expr::make(Op::BitAnd, type, {product, input});
    }
    result = Expr::make(Op::BitOr, type, {result, product});
  }
  return result;
}

/// Replaces `length` bits of `base`, beginning at bit `position`, by bits of `field` (ISA 9.7.1, bfi).
Expr insert_bits(const Expr& field, const Expr& base, Value position, Value length, ScalarType type) {
  if (length == 0 || position >= type.bits) return base;
  const Value ones = length >= 64 ? -1 : (Value{1} << length) - 1;
  const Value mask = static_cast<Value>(static_cast<std::uint64_t>(ones) << static_cast<unsigned>(position));
  const Expr moved = Expr::make(Op::ShiftLeft, type, {field, constant_of(position, type)});
  return Expr::make(Op::BitOr, type,
                    {Expr::make(Op::BitAnd, type, {moved, constant_of(mask, type)}),
                     Expr::make(Op::BitAnd, type, {base, constant_of(~mask, type)})});
}

/// Returns the full product of two numbers, which has twice as many bits.
Expr wide_product(const Expr& a, const Expr& b, ScalarType type) {
  const ScalarType wide = {static_cast<std::uint8_t>(type.bits * 2), type.is_signed || type.bits == 32};
  return Expr::make(Op::Multiply, wide, {as(as(a, type), wide), as(as(b, type), wide)});
}

/// Computes mul and mad. The modifier selects the lower half, the upper half or all of the product.
std::optional<Expr> multiply(const IsaInstruction& instruction, std::span<const Expr> inputs, ScalarType type) {
  const bool is_high = instruction.modifiers.has(IsaModifier::Hi);
  if (is_high && type.bits != 32) return std::nullopt;
  Expr product;
  if (instruction.modifiers.has(IsaModifier::Wide)) {
    product = wide_product(inputs[0], inputs[1], type);
  } else if (is_high) {
    const ScalarType wide = {64, type.is_signed};
    product =
        as(Expr::make(Op::ShiftRight, wide, {wide_product(inputs[0], inputs[1], type), constant_of(32, wide)}), type);
  } else {
    product = Expr::make(Op::Multiply, type, {inputs[0], inputs[1]});
  }
  if (inputs.size() < 3) return product;
  const ScalarType sum = product.result_type();
  return Expr::make(Op::Add, sum, {std::move(product), inputs[2]});
}

/// Returns the position of the highest 1 (bfind). With .shiftamt, returns the number of bits above the highest 1.
Expr find_highest(const IsaInstruction& instruction, const Expr& x, ScalarType type) {
  Expr found = as(count_leading_zeros(x), kUnsigned);
  if (!instruction.modifiers.has(IsaModifier::Shiftamt)) {
    found = Expr::make(Op::Subtract, kUnsigned, {constant_of(type.bits - 1, kUnsigned), std::move(found)});
  }
  const Expr is_zero = Expr::make(Op::Equal, type, {x, constant_of(0, type)});
  return Expr::make(Op::Select, kUnsigned, {is_zero, constant_of(-1, kUnsigned), std::move(found)});
}

/// Returns whether the instruction computes on two 16-bit numbers in one register.
bool has_packed_numbers(const IsaInstruction& instruction) {
  const ambit::ptx::Type type = instruction.type();
  return type == ambit::ptx::Type::U16x2 || type == ambit::ptx::Type::S16x2;
}

}  // namespace

ScalarType integer_type(ambit::ptx::Type type) {
  if (type == ambit::ptx::Type::Pred) return kInt;
  return {static_cast<std::uint8_t>(std::max(8U, ambit::ptx::bits_of(type))), ambit::ptx::is_signed(type)};
}

std::optional<Op> operation_of(ambit::ptx::Opcode opcode) {
  switch (opcode) {
    case IsaOpcode::Add: return Op::Add;
    case IsaOpcode::Sub: return Op::Subtract;
    case IsaOpcode::Mul: return Op::Multiply;
    case IsaOpcode::Div: return Op::Divide;
    case IsaOpcode::Rem: return Op::Remainder;
    case IsaOpcode::And: return Op::BitAnd;
    case IsaOpcode::Or: return Op::BitOr;
    case IsaOpcode::Xor: return Op::BitXor;
    case IsaOpcode::Min: return Op::Min;
    case IsaOpcode::Max: return Op::Max;
    case IsaOpcode::Shl: return Op::ShiftLeft;
    case IsaOpcode::Shr: return Op::ShiftRight;
    default: return std::nullopt;
  }
}

std::optional<Op> comparison_of(const IsaInstruction& instruction) {
  for (const IsaModifier modifier : instruction.modifiers.span()) {
    switch (modifier) {
      case IsaModifier::Eq: return Op::Equal;
      case IsaModifier::Ne: return Op::NotEqual;
      case IsaModifier::Lt:
      case IsaModifier::Lo: return Op::Less;
      case IsaModifier::Le:
      case IsaModifier::Ls: return Op::LessEqual;
      case IsaModifier::Gt:
      case IsaModifier::Hi: return Op::Greater;
      case IsaModifier::Ge:
      case IsaModifier::Hs: return Op::GreaterEqual;
      default: break;
    }
  }
  return std::nullopt;
}

Op combination_of(const IsaInstruction& instruction) {
  return instruction.modifiers.has(IsaModifier::And)  ? Op::BitAnd
         : instruction.modifiers.has(IsaModifier::Or) ? Op::BitOr
                                                      : Op::BitXor;
}

std::optional<Expr> integer_result(const IsaInstruction& instruction, std::span<const Expr> inputs) {
  if (has_packed_numbers(instruction)) return std::nullopt;
  const auto x = [&](std::size_t i) -> const Expr& { return inputs[i]; };
  const ScalarType type = integer_type(instruction.type());
  switch (instruction.opcode) {
    case IsaOpcode::Mov: return x(0);
    case IsaOpcode::Cvt:
      if (instruction.type_count != 2 || inputs.size() != 1) break;
      return as(as(x(0), integer_type(instruction.types[1])), type);
    case IsaOpcode::Selp: return Expr::make(Op::Select, type, {x(2), x(0), x(1)});
    case IsaOpcode::Setp: {
      const std::optional<Op> op = comparison_of(instruction);
      if (!op) break;
      Expr result = Expr::make(*op, type, {x(0), x(1)});
      if (inputs.size() < 3) return result;
      return Expr::make(combination_of(instruction), kInt, {std::move(result), x(2)});
    }
    case IsaOpcode::Not:
      if (instruction.type() == ambit::ptx::Type::Pred)
        return Expr::make(Op::Equal, kInt, {x(0), constant_of(0, kInt)});
      return Expr::make(Op::BitNot, type, {x(0)});
    case IsaOpcode::Neg: return Expr::make(Op::Negate, type, {x(0)});
    case IsaOpcode::Abs: return Expr::make(Op::Max, type, {x(0), Expr::make(Op::Negate, type, {x(0)})});
    case IsaOpcode::Shl:
    case IsaOpcode::Shr: return shift(*operation_of(instruction.opcode), type, x(0), x(1));
    case IsaOpcode::Mul:
    case IsaOpcode::Mad: return multiply(instruction, inputs, type);
    case IsaOpcode::Lop3:
      if (instruction.operands[0].kind == ambit::ptx::Operand::Kind::Pair || inputs.size() != 4) break;
      if (!x(3).is_constant()) break;
      return look_up(type, inputs, x(3).constant);
    case IsaOpcode::Bfe:
      if (!x(1).is_constant() || !x(2).is_constant() || type.is_signed || x(1).constant + x(2).constant > type.bits) {
        break;
      }
      return Expr::make(Op::BitAnd, type,
                        {shift(Op::ShiftRight, type, x(0), x(1)),
                         constant_of(x(2).constant >= 64 ? -1 : (Value{1} << x(2).constant) - 1, type)});
    case IsaOpcode::Bfi:
      if (!x(2).is_constant() || !x(3).is_constant()) break;
      return insert_bits(x(0), x(1), kUnsigned.wrap(x(2).constant) & 0xff, kUnsigned.wrap(x(3).constant) & 0xff, type);
    case IsaOpcode::Popc: return as(count_ones(x(0)), kUnsigned);
    case IsaOpcode::Clz: return as(count_leading_zeros(x(0)), kUnsigned);
    case IsaOpcode::Brev: return reverse_bits(x(0));
    case IsaOpcode::Bfind:
      if (type.is_signed) break;
      return find_highest(instruction, x(0), type);
    default:
      if (const std::optional<Op> op = operation_of(instruction.opcode); op && inputs.size() == 2) {
        return Expr::make(*op, type, {x(0), x(1)});
      }
  }
  return std::nullopt;
}

}  // namespace ambit::parser::ptx
