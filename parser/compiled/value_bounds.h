#pragma once

#include "core/expr.h"

namespace ambit::parser::compiled {

/// All values that an expression can have lie between `low` and `high`, both included.
struct Bounds {
  Value low = 0;
  Value high = 0;

  bool lies_within(const Bounds& other) const { return other.low <= low && high <= other.high; }
};

/// Returns the values of a type. Values of unsigned 64-bit types have the bit patterns of signed ones (Value).
Bounds bounds_of(ScalarType type);
/// Interval arithmetic over the operators; registers have the bounds of their types.
Bounds bounds_of(const Expr& expr);

/// Returns a number that divides every value of the expression; 0: the expression is 0. The number is a power of two if
/// arithmetic of the expression may wrap.
Value divisor_of(const Expr& expr);

/// Returns the bits that can be 1 in a value of the expression.
Value possible_bits(const Expr& expr);

}  // namespace ambit::parser::compiled
