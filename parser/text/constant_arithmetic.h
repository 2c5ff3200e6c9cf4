#pragma once

#include <cstdint>
#include <optional>

#include "core/expr.h"
#include "core/program.h"
#include "parser/text/syntax_tree.h"

/// C++'s rules for the types of expressions, as CUDA has them: int is 32 bits, long and long long are 64.
namespace ambit::parser {

/// Type of pointer values.
inline constexpr ScalarType kAddress = kLongLong;

/// Integer promotion [conv.prom].
ScalarType promote(ScalarType type);
/// Usual arithmetic conversions [expr.arith.conv].
ScalarType common_type(ScalarType a, ScalarType b);

/// `a op b` on integers, operands converted as C++ does.
Expr make_binary(Op op, Expr a, Expr b);
/// Plus, Negate, BitNot, LogicalNot on an integer.
Expr make_unary(UnaryOp op, Expr operand);
/// 1 where the value is not 0; the expression itself where it can only be 0 or 1.
Expr to_boolean(Expr value);
/// The expression that is 1 where `condition` is 0.
Expr negate(Expr condition);

/// An address value taken apart; the index is negative where pointer arithmetic went below its object.
struct DecodedAddress {
  std::int64_t object = 0;  ///< -1 for the null pointer
  std::int64_t index = 0;
};
DecodedAddress decode_address(Value address);

}  // namespace ambit::parser
