#pragma once

#include "core/expr.h"

namespace ambit::parser::compiled {

/// The smallest and the largest value that an expression may have.
struct Bounds {
  Value low = 0;
  Value high = 0;

  bool lies_within(const Bounds& other) const { return other.low <= low && high <= other.high; }
};

/// Returns the bounds of a type. Unsigned 64-bit values are represented as signed 64-bit values (Value).
Bounds bounds_of(ScalarType type);
/// Returns the bounds of an expression by interval arithmetic. A register may have any value of its type.
Bounds bounds_of(const Expr& expr);

/// Returns a number that divides every value of the expression; 0 if the expression is always 0. If the arithmetic of
/// the expression may wrap, the number is a power of two.
Value divisor_of(const Expr& expr);

/// Returns a mask of the bits that can be 1 in a value of the expression.
Value possible_bits(const Expr& expr);

}  // namespace ambit::parser::compiled
