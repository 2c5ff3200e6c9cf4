#pragma once

#include <cstdint>

#include "ptx/types.h"
#include "runner/virtual/arithmetic.h"

namespace ambit::virtual_gpu {

/// A binary floating-point format with at most 64 bits.
struct FloatFormat {
  unsigned precision = 24;  ///< bits of the significand, including the hidden bit
  int smallest_exponent = -126;
  int largest_exponent = 127;
  unsigned bits = 32;        ///< bits of the encoding
  unsigned unused_bits = 0;  ///< unused bits at the lower end (tf32)
  std::uint64_t nan = 0x7fffffff;
};
/// Returns the format of F16, Bf16, Tf32, F32 or F64.
const FloatFormat& format_of(ptx::Type type);

/// Returns the encoding of magnitude * 2^exponent, rounded once. A number that is too large becomes infinite, or the
/// largest number if the rounding mode or `is_finite` requires it.
std::uint64_t encode(const FloatFormat& format, bool is_negative, std::uint64_t magnitude, int exponent,
                     Rounding rounding, bool is_finite = false);
/// Returns the encoding of a double, rounded once. NaN becomes the NaN of the format.
std::uint64_t encode(const FloatFormat& format, double value, Rounding rounding, bool is_finite = false);
/// Returns the exact value of an encoding of at most 32 bits, or of a double.
double decode(const FloatFormat& format, std::uint64_t bits);

/// Returns a + b, rounded to odd. If the caller rounds this result to at most 51 bits, the caller gets the correctly
/// rounded sum.
double sum_to_odd(double a, double b);

/// Computes with a rounding mode other than round-to-nearest. Sets the rounding mode of the processor
/// (directed_rounding.cpp).
double directed(ptx::Opcode opcode, Rounding rounding, double a, double b, double c);
float directed(ptx::Opcode opcode, Rounding rounding, float a, float b, float c);

}  // namespace ambit::virtual_gpu
