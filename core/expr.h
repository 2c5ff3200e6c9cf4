#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace ambit {

/// The value of a register or memory cell: its bits, sign- or zero-extended from its ScalarType to 64 bits. An unsigned
/// 64-bit value keeps its bit pattern.
using Value = std::int64_t;

/// The integer type of a register, memory cell or operation.
struct ScalarType {
  std::uint8_t bits = 32;  ///< 8, 16, 32 or 64; 128 for wide values (core/wide_value.h)
  bool is_signed = true;

  /// Returns `value` truncated to `bits` bits and then extended to 64 bits: the canonical Value of this type.
  Value wrap(Value value) const;

  friend bool operator==(const ScalarType&, const ScalarType&) = default;
};
inline constexpr ScalarType kInt{32, true};
inline constexpr ScalarType kUnsigned{32, false};
inline constexpr ScalarType kLongLong{64, true};
inline constexpr ScalarType kUnsignedLongLong{64, false};

/// Operators of value expressions. Arithmetic wraps. Shift counts are reduced modulo the width. Division and remainder
/// by zero return all ones, like unsigned division on hardware; CUDA leaves the result undefined.
enum class Op : std::uint8_t {
  Const,
  Register,  // leaves
  Negate,
  BitNot,
  LogicalNot,
  Cast,  // one argument
  Add,
  Subtract,
  Multiply,
  Divide,
  Remainder,
  ShiftLeft,
  ShiftRight,
  BitAnd,
  BitOr,
  BitXor,
  Min,
  Max,  // two arguments
  Equal,
  NotEqual,
  Less,
  LessEqual,
  Greater,
  GreaterEqual,  // comparisons of two arguments of one type; the result is 0 or 1
  LogicalAnd,
  LogicalOr,  // two arguments without side effects; the result is 0 or 1
  IncrementWrap,
  DecrementWrap,  // IncrementWrap and DecrementWrap: atomicInc and atomicDec of CUDA.
  Select,         // Three arguments: condition, value if the condition holds, value otherwise.
};

/// Applies `op` to constants; `op` is neither Const nor Register. The operation works in `operand_type`: for
/// comparisons the type of the operands, for Cast the target type. The result is wrapped to `operand_type`, except for
/// comparisons and logical operators (0 or 1).
Value apply(Op op, ScalarType operand_type, std::span<const Value> arguments);

/// Returns the number of arguments of an operator.
std::size_t arity(Op op);

bool is_comparison(Op op);
/// Returns whether the operator's result is always 0 or 1.
bool is_boolean(Op op);
/// Returns the operator as written in C: "+", "==", "min", ...
std::string_view to_string(Op op);

using RegisterId = std::uint32_t;

/// An expression without side effects over a thread's registers (or, in a Condition, over its observables).
struct Expr {
  Op op = Op::Const;
  ScalarType type = kInt;  ///< type of the operands (see apply); for a Const or Register, the type of its value
  Value constant = 0;      ///< the value of a Const
  RegisterId reg = 0;      ///< the register of a Register
  std::vector<Expr> arguments;

  static Expr make_constant(Value value, ScalarType type = kInt);
  static Expr make_register(RegisterId reg, ScalarType type = kInt);
  /// Builds an expression. If all arguments are constants, the result is a constant.
  static Expr make(Op op, ScalarType operand_type, std::vector<Expr> arguments);
  static Expr make_cast(Expr argument, ScalarType target);

  bool is_constant() const { return op == Op::Const; }
  /// Returns the type of the expression's value: int for comparisons and logical operators, `type` otherwise.
  ScalarType result_type() const;

  friend bool operator==(const Expr&, const Expr&) = default;
};

/// Returns the value of `expr`, if register r has the value `registers[r]`.
Value evaluate(const Expr& expr, std::span<const Value> registers);

}  // namespace ambit
