#pragma once

#include "core/expr.h"

namespace ambit {

/// Bit intrinsics of CUDA, as expressions over an integer of 32 or 64 bits. The result contains up to 64 copies of the
/// argument, so the argument should be a small expression. The result has the unsigned type of the argument's width.

/// Returns the number of 1 bits.
Expr count_ones(const Expr& x);
/// Returns the number of zeros above the highest 1; the number of all bits if the argument is 0.
Expr count_leading_zeros(const Expr& x);
/// Returns the position of the lowest 1, counted from 1; 0 if the argument is 0.
Expr find_first_set(const Expr& x);
/// Returns the bits in the opposite order.
Expr reverse_bits(const Expr& x);

}  // namespace ambit
