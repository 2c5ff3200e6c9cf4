#include "runner/virtual/float_format.h"

#include <bit>
#include <cmath>
#include <cstdint>

namespace ambit::virtual_gpu {
namespace {

constexpr FloatFormat kHalf{11, -14, 15, 16, 0, 0x7fff};
constexpr FloatFormat kBrain{8, -126, 127, 16, 0, 0x7fff};
constexpr FloatFormat kTensor{11, -126, 127, 32, 13, 0x7fffffff};
constexpr FloatFormat kSingle{24, -126, 127, 32, 0, 0x7fffffff};
constexpr FloatFormat kDouble{53, -1022, 1023, 64, 0, 0xfff8000000000000};

/// Returns whether a significand must be rounded up after its lower bits have been discarded. The discarded part is
/// `rest` / 2^64.
bool rounds_up(Rounding rounding, bool is_negative, bool is_odd, std::uint64_t rest, bool is_sticky) {
  constexpr std::uint64_t kMiddle = std::uint64_t{1} << 63U;
  const bool is_exact = rest == 0 && !is_sticky;
  switch (rounding) {
    case Rounding::Nearest: return rest > kMiddle || (rest == kMiddle && (is_sticky || is_odd));
    case Rounding::Away: return rest >= kMiddle;
    case Rounding::Zero: return false;
    case Rounding::Down: return is_negative && !is_exact;
    case Rounding::Up: return !is_negative && !is_exact;
  }
  return false;
}

std::uint64_t infinity(const FloatFormat& format) {
  const auto field = std::uint64_t{2} + static_cast<unsigned>(format.largest_exponent - format.smallest_exponent);
  return field << (format.precision - 1);
}

std::uint64_t with_sign(const FloatFormat& format, bool is_negative, std::uint64_t bits) {
  return (bits << format.unused_bits) | static_cast<std::uint64_t>(is_negative) << (format.bits - 1);
}

}  // namespace

const FloatFormat& format_of(ptx::Type type) {
  switch (type) {
    case ptx::Type::F16:
    case ptx::Type::F16x2: return kHalf;
    case ptx::Type::Bf16:
    case ptx::Type::Bf16x2: return kBrain;
    case ptx::Type::Tf32: return kTensor;
    case ptx::Type::F64: return kDouble;
    default: return kSingle;
  }
}

std::uint64_t encode(const FloatFormat& format, bool is_negative, std::uint64_t magnitude, int exponent,
                     Rounding rounding, bool is_finite) {
  if (magnitude == 0) return with_sign(format, is_negative, 0);
  const int zeros = std::countl_zero(magnitude);
  const std::uint64_t top = magnitude << zeros;
  const int highest = exponent - zeros + 63;  // exponent of the leading bit
  const bool is_subnormal = highest < format.smallest_exponent;
  const int below = is_subnormal ? format.smallest_exponent - highest : 0;
  const int shift = 64 - static_cast<int>(format.precision) + below;
  std::uint64_t kept = 0;
  std::uint64_t rest = 0;
  bool is_sticky = false;
  if (shift < 64) {
    kept = top >> shift;
    rest = top << (64 - shift);
  } else if (shift == 64) {
    rest = top;
  } else {
    rest = shift < 128 ? top >> (shift - 64) : 0;
    is_sticky = true;
  }
  // `kept` contains the hidden bit, so the addition of `kept` also adds one to the exponent field.
  const auto field = is_subnormal ? 0 : static_cast<std::uint64_t>(highest - format.smallest_exponent);
  std::uint64_t bits = (field << (format.precision - 1)) + kept;
  if (rounds_up(rounding, is_negative, (kept & 1U) != 0, rest, is_sticky)) ++bits;
  const std::uint64_t infinite = infinity(format);
  if (bits >= infinite || highest > format.largest_exponent) {
    const bool stays = rounding == Rounding::Zero || (rounding == Rounding::Down && !is_negative) ||
                       (rounding == Rounding::Up && is_negative) || is_finite;
    bits = stays ? infinite - 1 : infinite;
  }
  return with_sign(format, is_negative, bits);
}

std::uint64_t encode(const FloatFormat& format, double value, Rounding rounding, bool is_finite) {
  if (std::isnan(value)) return format.nan;
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const bool is_negative = (bits >> 63U) != 0;
  const std::uint64_t fraction = bits & ((std::uint64_t{1} << 52U) - 1);
  const int field = static_cast<int>(bits >> 52U & 0x7ffU);
  if (field == 0x7ff) return with_sign(format, is_negative, infinity(format) - (is_finite ? 1U : 0U));
  if (field == 0) return encode(format, is_negative, fraction, -1074, rounding, is_finite);
  return encode(format, is_negative, fraction | std::uint64_t{1} << 52U, field - 1075, rounding, is_finite);
}

double decode(const FloatFormat& format, std::uint64_t bits) {
  if (format.bits == 64) return std::bit_cast<double>(bits);
  const bool is_negative = (bits >> (format.bits - 1) & 1U) != 0;
  const std::uint64_t encoded = (bits & ((std::uint64_t{1} << (format.bits - 1)) - 1)) >> format.unused_bits;
  const std::uint64_t infinite = infinity(format);
  double value = 0;
  if (encoded > infinite) {
    value = std::nan("");
  } else if (encoded == infinite) {
    value = INFINITY;
  } else {
    const std::uint64_t hidden = std::uint64_t{1} << (format.precision - 1);
    const std::uint64_t field = encoded >> (format.precision - 1);
    const std::uint64_t fraction = encoded & (hidden - 1);
    const int exponent = format.smallest_exponent - static_cast<int>(format.precision) + 1;
    value = field == 0 ? std::ldexp(static_cast<double>(fraction), exponent)
                       : std::ldexp(static_cast<double>(fraction | hidden), exponent + static_cast<int>(field) - 1);
  }
  return is_negative ? -value : value;
}

double sum_to_odd(double a, double b) {
  const double sum = a + b;
  if (!std::isfinite(sum)) return sum;
  const double other = sum - a;  // the exact error of a + b (Knuth)
  const double error = (a - (sum - other)) + (b - other);
  if (error == 0.0) return sum;
  const auto bits = std::bit_cast<std::uint64_t>(sum);
  if ((bits & 1U) != 0) return sum;
  // Moves the even result one step towards the exact value, so that its last bit becomes 1.
  return std::bit_cast<double>((error > 0) == (sum > 0) ? bits + 1 : bits - 1);
}

}  // namespace ambit::virtual_gpu
