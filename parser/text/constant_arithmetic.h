#pragma once

#include <cstdint>

#include "core/expr.h"
#include "core/program.h"
#include "parser/text/syntax_tree.h"

/// The C++ typing rules of expressions, with CUDA's sizes: int has 32 bits, long and long long have 64 bits.
namespace ambit::parser {

/// The type of pointer values.
inline constexpr ScalarType kAddress = kLongLong;

/// Applies the integer promotions [conv.prom].
ScalarType promote(ScalarType type);
/// Applies the usual arithmetic conversions [expr.arith.conv].
ScalarType common_type(ScalarType a, ScalarType b);

/// Returns `a op b` on integers, after the C++ conversions of the operands.
Expr make_binary(Op op, Expr a, Expr b);
/// Applies Plus, Negate, BitNot or LogicalNot to an integer.
Expr make_unary(UnaryOp op, Expr operand);
/// Converts a value to 0 or 1. If the value can only be 0 or 1, returns `value` unchanged.
Expr to_boolean(Expr value);
/// Returns an expression that is 1 if `condition` is 0, and 0 otherwise.
Expr negate(Expr condition);

/// The parts of an address value. The index is negative if the address is below the beginning of the object.
struct DecodedAddress {
  std::int64_t object = 0;  ///< number of the object; -1 for the null pointer
  std::int64_t index = 0;
};
DecodedAddress decode_address(Value address);

}  // namespace ambit::parser
