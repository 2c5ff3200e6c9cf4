#pragma once

#include "core/expr.h"

namespace ambit {

/// Integer intrinsics as expressions, of an integer of 32 or 64 bits. The argument occurs up to 64 times in the result:
/// it should be small. The results have the type of the argument without its sign.

/// The bits that are 1.
Expr count_ones(const Expr& x);
/// The zeros above the highest one; all bits for 0.
Expr count_leading_zeros(const Expr& x);
/// The number, from 1, of the lowest one; 0 for 0.
Expr find_first_set(const Expr& x);
/// The bits in the opposite order.
Expr reverse_bits(const Expr& x);

}  // namespace ambit
