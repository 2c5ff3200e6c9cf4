#pragma once

#include "core/expr.h"

namespace ambit {

/// Integer intrinsics as expressions of an integer of 32 or 64 bits. The argument occurs up to 64 times in the result,
/// so it should be small. A result has the type of the argument without its sign.

/// Returns the number of bits that are 1.
Expr count_ones(const Expr& x);
/// Returns the number of zeros above the highest 1; all bits for 0.
Expr count_leading_zeros(const Expr& x);
/// Returns the number of the lowest 1, from 1; 0 for 0.
Expr find_first_set(const Expr& x);
/// Returns the bits in the opposite order.
Expr reverse_bits(const Expr& x);

}  // namespace ambit
