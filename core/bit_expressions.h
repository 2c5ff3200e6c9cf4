#pragma once

#include "core/expr.h"

namespace ambit {

/// Integer intrinsics as expressions of an integer of 32 or 64 bits. The argument occurs up to 64 times in the result,
/// so it should be small. A result has the type of the argument without its sign.

/// Returns the number of 1 bits.
Expr count_ones(const Expr& x);
/// Returns the number of zeros above the highest 1; the number of all bits if the argument is 0.
Expr count_leading_zeros(const Expr& x);
/// Returns the position of the lowest 1, counted from 1; 0 if the argument is 0.
Expr find_first_set(const Expr& x);
/// Returns the bits in the opposite order.
Expr reverse_bits(const Expr& x);

}  // namespace ambit
