#pragma once

#include "core/expr.h"

namespace ambit::parser::compiled {

/// The bounds of an expression's values, both included.
struct Bounds {
  Value low = 0;
  Value high = 0;

  bool lies_within(const Bounds& other) const { return other.low <= low && high <= other.high; }
};

/// Returns the bounds of a type. Values of unsigned 64-bit types have the bit patterns of signed values (Value).
Bounds bounds_of(ScalarType type);
/// Returns the bounds of an expression by interval arithmetic. Registers have the bounds of their types.
Bounds bounds_of(const Expr& expr);

/// Returns a number that divides every value of the expression; 0 if the expression is 0. If its arithmetic may wrap,
/// the number is a power of two.
Value divisor_of(const Expr& expr);

/// Returns the bits that can be 1 in a value of the expression.
Value possible_bits(const Expr& expr);

}  // namespace ambit::parser::compiled
