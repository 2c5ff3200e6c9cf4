#pragma once

#include <cstdint>

#include "core/expr.h"
#include "core/program.h"
#include "parser/text/syntax_tree.h"

/// The C++ typing rules of expressions, with CUDA's sizes: int has 32 bits, long and long long have 64.
namespace ambit::parser {

/// The type of pointer values.
inline constexpr ScalarType kAddress = kLongLong;

/// Integer promotion [conv.prom].
ScalarType promote(ScalarType type);
/// Usual arithmetic conversions [expr.arith.conv].
ScalarType common_type(ScalarType a, ScalarType b);

/// `a op b` on integers, after the C++ conversions of the operands.
Expr make_binary(Op op, Expr a, Expr b);
/// Plus, Negate, BitNot, LogicalNot on an integer.
Expr make_unary(UnaryOp op, Expr operand);
/// Converts a value to 0 or 1; returns the expression itself if it can only be 0 or 1.
Expr to_boolean(Expr value);
/// Returns the expression that is 1 if `condition` is 0.
Expr negate(Expr condition);

/// The parts of an address value. The index is negative if pointer arithmetic went below the object.
struct DecodedAddress {
  std::int64_t object = 0;  ///< -1 for the null pointer
  std::int64_t index = 0;
};
DecodedAddress decode_address(Value address);

}  // namespace ambit::parser
