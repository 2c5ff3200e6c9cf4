#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>

#include "runner/virtual/float_format.h"
#include "runner/virtual/scalar_code.h"
#include "runner/virtual/warp.h"

namespace ambit::virtual_gpu {
namespace {

using ptx::Type;
using Whole = __int128;

bool has(const ScalarCode& code, ScalarFlag flag) { return (code.flags & flag) != 0; }

std::uint64_t slot_bits(const std::uint8_t* from, unsigned bytes) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, from, bytes);
  return bits;
}

/// Returns the integer of a type in the lower bits of a register.
Whole integer_of(std::uint64_t bits, Type type) {
  const unsigned width = ptx::bits_of(type);
  const std::uint64_t own = width == 64 ? bits : bits & ((std::uint64_t{1} << width) - 1);
  const bool is_negative = ptx::is_signed(type) && (own >> (width - 1) & 1U) != 0;
  return static_cast<Whole>(own) - (is_negative ? Whole{1} << width : Whole{0});
}

Whole lowest_of(Type type) { return ptx::is_signed(type) ? -(Whole{1} << (ptx::bits_of(type) - 1)) : Whole{0}; }
Whole highest_of(Type type) { return (Whole{1} << (ptx::bits_of(type) - (ptx::is_signed(type) ? 1U : 0U))) - 1; }
Whole clamped(Whole value, Type type) {
  return value < lowest_of(type) ? lowest_of(type) : value > highest_of(type) ? highest_of(type) : value;
}

double to_integer(double value, Rounding rounding) {
  switch (rounding) {
    case Rounding::Nearest: return std::nearbyint(value);
    case Rounding::Zero: return std::trunc(value);
    case Rounding::Down: return std::floor(value);
    case Rounding::Up: return std::ceil(value);
    case Rounding::Away: return std::round(value);
  }
  return value;
}

/// Converts a number to an integer. NaN becomes zero, or the highest bit if either type has 64 bits (section 9.7.9.21).
Whole integer_from(double value, Type type, Type source, Rounding rounding) {
  const unsigned width = ptx::bits_of(type);
  if (std::isnan(value)) {
    if (source != Type::F64 && width < 64) return 0;
    return ptx::is_signed(type) ? lowest_of(type) : Whole{1} << (width - 1);
  }
  const double whole = to_integer(value, rounding);
  if (whole <= static_cast<double>(lowest_of(type))) return lowest_of(type);
  if (whole >= 0x1p63 && width < 64) return highest_of(type);
  if (whole >= 0x1p64 || (whole >= 0x1p63 && ptx::is_signed(type))) return highest_of(type);
  return clamped(whole < 0 ? static_cast<Whole>(static_cast<std::int64_t>(whole))
                           : static_cast<Whole>(static_cast<std::uint64_t>(whole)),
                 type);
}

/// Flushes subnormal single-precision numbers to zero.
double flush_single(double value) { return std::fabs(value) < 0x1p-126 ? std::copysign(0.0, value) : value; }

std::uint64_t float_from(const ScalarCode& code, double value, Type type, Type source) {
  const auto rounding = static_cast<Rounding>(code.rounding);
  double result = value;
  if (has(code, kFlushes) && source == Type::F32) result = flush_single(result);
  if (has(code, kToInteger) && std::isfinite(result)) result = std::copysign(to_integer(result, rounding), result);
  if (has(code, kSaturates)) result = result > 0 ? std::fmin(result, 1.0) : 0.0;
  if (has(code, kRelu)) result = result > 0 || std::isnan(result) ? result : 0.0;
  if (type == Type::F64) return std::bit_cast<std::uint64_t>(result);
  if (has(code, kFlushes) && type == Type::F32) result = flush_single(result);  // an H200 flushes before it rounds
  return encode(format_of(type), result, rounding, has(code, kFinite));
}

/// Returns the result of converting NaN if the conversion keeps the upper bits of the payload. An H200 keeps these bits
/// in conversions from double precision to narrower types, and from single precision to tf32.
std::optional<std::uint64_t> kept_nan(const ScalarCode& code, std::uint64_t bits, Type type, Type source) {
  if (has(code, kSaturates) || has(code, kRelu)) return {};
  if (source == Type::F32 && type == Type::Tf32) return bits & ~std::uint64_t{0x1fff};
  if (source != Type::F64 || type == Type::F64) return {};
  const FloatFormat& format = format_of(type);
  const std::uint64_t sign = bits >> 63U << (format.bits - 1);
  const std::uint64_t ones = (std::uint64_t{1} << (format.bits - format.precision)) - 1;
  const std::uint64_t payload = (bits & ((std::uint64_t{1} << 52U) - 1)) >> (53 - format.precision);
  return sign | ones << (format.precision - 1) | std::uint64_t{1} << (format.precision - 2) | payload;
}

std::uint64_t converted(const ScalarCode& code, std::uint64_t bits) {
  const auto type = static_cast<Type>(code.type);
  const auto source = static_cast<Type>(code.source);
  const auto rounding = static_cast<Rounding>(code.rounding);
  if (!ptx::is_float(source)) {
    const Whole value = integer_of(bits, source);
    if (!ptx::is_float(type)) return static_cast<std::uint64_t>(has(code, kSaturates) ? clamped(value, type) : value);
    const auto magnitude = static_cast<std::uint64_t>(value < 0 ? -value : value);
    const std::uint64_t encoded = encode(format_of(type), value < 0, magnitude, 0, rounding);
    return has(code, kSaturates) ? float_from(code, decode(format_of(type), encoded), type, type) : encoded;
  }
  double value = decode(format_of(source), bits);
  if (ptx::is_float(type)) {
    if (std::isnan(value)) {
      if (const auto nan = kept_nan(code, bits, type, source)) return *nan;
    }
    // If NaN is converted to the same type or to double precision, the host's processor determines how much of the
    // payload is kept.
    if (std::isnan(value) && source == Type::F32 && type == Type::F64) {
      value = static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    }
    return float_from(code, value, type, source);
  }
  if (has(code, kFlushes) && source == Type::F32) value = flush_single(value);
  return static_cast<std::uint64_t>(integer_from(value, type, source, rounding));
}

/// Executes cvt.rn.f16x2.f32 d, a, b: a is the upper half of the result.
std::uint64_t packed(const ScalarCode& code, std::uint64_t a, std::uint64_t b) {
  const auto type = static_cast<Type>(code.type);
  const FloatFormat& single = format_of(Type::F32);
  const std::uint64_t high = float_from(code, decode(single, a), type, Type::F32);
  const std::uint64_t low = float_from(code, decode(single, b), type, Type::F32);
  return high << 16U | low;
}

}  // namespace

void execute_conversion(WarpCore& core, const Instruction& instruction) {
  const ScalarCode code = scalar_code(instruction);
  const auto type = static_cast<Type>(code.type);
  const bool is_packed = type == Type::F16x2 || type == Type::Bf16x2;
  const unsigned to_bytes = code.comparison;
  const unsigned from_bytes = code.mode;
  // If the register is wider than the result, the result is sign-extended or zero-extended.
  const bool extends = !ptx::is_float(type) && ptx::bytes_of(type) < to_bytes;
  for_each_lane(core.mask, [&](unsigned lane) {
    const std::uint64_t a = slot_bits(core.frame + instruction.a + std::size_t{lane} * from_bytes, from_bytes);
    std::uint64_t result = 0;
    if (is_packed) {
      result = packed(code, a, slot_bits(core.frame + instruction.b + std::size_t{lane} * from_bytes, from_bytes));
    } else {
      result = converted(code, a);
    }
    if (extends) result = static_cast<std::uint64_t>(integer_of(result, type));
    std::memcpy(core.frame + instruction.d + std::size_t{lane} * to_bytes, &result, to_bytes);
  });
}

}  // namespace ambit::virtual_gpu
