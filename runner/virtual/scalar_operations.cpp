#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "runner/virtual/float_format.h"
#include "runner/virtual/scalar_code.h"
#include "runner/virtual/warp.h"

namespace ambit::virtual_gpu {
namespace {

using ptx::Opcode;
using ptx::Type;

bool has(const ScalarCode& code, ScalarFlag flag) { return (code.flags & flag) != 0; }
Opcode opcode_of(const ScalarCode& code) { return static_cast<Opcode>(code.opcode); }
Type type_of(const ScalarCode& code) { return static_cast<Type>(code.type); }

bool is_pair(Type type) {
  return type == Type::F16x2 || type == Type::Bf16x2 || type == Type::U16x2 || type == Type::S16x2;
}
Type element_of(Type type) {
  switch (type) {
    case Type::F16x2: return Type::F16;
    case Type::Bf16x2: return Type::Bf16;
    case Type::U16x2: return Type::U16;
    case Type::S16x2: return Type::S16;
    default: return type;
  }
}

/// Computes special functions with an error below one unit in the last place of single precision. PTX allows larger
/// errors.
double special(Opcode opcode, double a) {
  switch (opcode) {
    case Opcode::Ex2: return std::exp2(a);
    case Opcode::Lg2: return std::log2(a);
    case Opcode::Sin: return std::sin(a);
    case Opcode::Cos: return std::cos(a);
    case Opcode::Tanh: return std::tanh(a);
    case Opcode::Rsqrt: return 1.0 / std::sqrt(a);
    case Opcode::Rcp: return 1.0 / a;
    case Opcode::Sqrt: return std::sqrt(a);
    default: return 0;
  }
}

/// Computes min and max with their modes (sections 9.7.3.11 and 9.7.4.7). -0 is below +0.
double extreme(const ScalarCode& code, double first, double second) {
  double a = first;
  double b = second;
  const bool is_negative = has(code, kUsesSign) && std::signbit(a) != std::signbit(b);
  if (has(code, kUsesSign)) {
    a = std::fabs(a);
    b = std::fabs(b);
  }
  double result = 0;
  if (std::isnan(a) || std::isnan(b)) {
    if (has(code, kKeepsNan) || (std::isnan(a) && std::isnan(b))) return std::nan("");
    result = std::isnan(a) ? b : a;
  } else {
    const bool a_is_less = a < b || (a == b && std::signbit(a));
    result = a_is_less == (opcode_of(code) == Opcode::Min) ? a : b;
  }
  return is_negative ? -result : result;
}

/// Computes a result that the caller rounds to half precision or bfloat16. The returned value is exact or rounded to
/// odd.
double exact(const ScalarCode& code, double a, double b, double c) {
  switch (opcode_of(code)) {
    case Opcode::Add: return sum_to_odd(a, b);
    case Opcode::Sub: return sum_to_odd(a, -b);
    case Opcode::Mul: return a * b;
    case Opcode::Fma:
    case Opcode::Mad: return sum_to_odd(a * b, c);
    case Opcode::Min:
    case Opcode::Max: return extreme(code, a, b);
    default: return special(opcode_of(code), a);
  }
}

double flush(const FloatFormat& format, double value) {
  return std::fabs(value) < std::ldexp(1.0, format.smallest_exponent) ? std::copysign(0.0, value) : value;
}

std::uint64_t finish(const ScalarCode& code, const FloatFormat& format, double value) {
  double result = value;
  if (has(code, kSaturates)) result = result > 0 ? std::fmin(result, 1.0) : 0.0;
  if (has(code, kRelu)) result = result > 0 || std::isnan(result) ? result : 0.0;
  std::uint64_t bits = encode(format, result, static_cast<Rounding>(code.rounding));
  if (has(code, kFlushes)) bits = encode(format, flush(format, decode(format, bits)), Rounding::Nearest);
  return bits;
}

std::uint64_t small_float(const ScalarCode& code, Type type, std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  const FloatFormat& format = format_of(type);
  const std::uint64_t sign = std::uint64_t{1} << (format.bits - 1);
  double x = decode(format, a);
  const bool is_sign_change = opcode_of(code) == Opcode::Neg || opcode_of(code) == Opcode::Abs;
  if (is_sign_change && std::isnan(x)) return format.nan;  // on an H200
  if (opcode_of(code) == Opcode::Neg) return a ^ sign;
  if (opcode_of(code) == Opcode::Abs) return a & ~sign;
  double y = decode(format, b);
  double z = decode(format, c);
  if (has(code, kFlushes)) {
    x = flush(format, x);
    y = flush(format, y);
    z = flush(format, z);
  }
  return finish(code, format, exact(code, x, y, z));
}

/// Executes instructions of single and double precision that have no vectorised loop: other rounding modes,
/// approximations, min and max with a mode.
std::uint64_t large_float(const ScalarCode& code, Type type, std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  const FloatFormat& format = format_of(type);
  double x = decode(format, a);
  double y = decode(format, b);
  double z = decode(format, c);
  if (has(code, kFlushes) && type == Type::F32) {
    x = flush(format, x);
    y = flush(format, y);
    z = flush(format, z);
  }
  const Opcode opcode = opcode_of(code);
  const auto rounding = static_cast<Rounding>(code.rounding);
  ScalarCode exact_code = code;
  exact_code.rounding = static_cast<std::uint8_t>(Rounding::Nearest);
  if (type == Type::F64) exact_code.flags &= static_cast<std::uint8_t>(~kFlushes);
  const bool is_extreme = opcode == Opcode::Min || opcode == Opcode::Max;
  const bool is_special = has(code, kApproximate) || opcode == Opcode::Rsqrt;
  if (is_extreme) return finish(exact_code, format, extreme(code, x, y));
  if (is_special) return finish(exact_code, format, special(opcode, x));
  if (type == Type::F64) return std::bit_cast<std::uint64_t>(directed(opcode, rounding, x, y, z));
  const bool is_product = opcode == Opcode::Mul || opcode == Opcode::Fma || opcode == Opcode::Mad;
  if (has(code, kFlushes) && is_product && std::fabs(exact(code, x, y, z)) < 0x1p-126) {
    return finish(exact_code, format, std::copysign(0.0, exact(code, x, y, z)));
  }
  const float result = directed(opcode, rounding, static_cast<float>(x), static_cast<float>(y), static_cast<float>(z));
  return finish(exact_code, format, static_cast<double>(result));
}

std::int64_t signed_of(Type type, std::uint64_t bits) {
  switch (type) {
    case Type::U16: return static_cast<std::uint16_t>(bits);
    case Type::S16: return static_cast<std::int16_t>(bits);
    case Type::U32: return static_cast<std::uint32_t>(bits);
    case Type::S32: return static_cast<std::int32_t>(bits);
    default: return static_cast<std::int64_t>(bits);
  }
}

/// Executes integer instructions of at most 32 bits: saturated sums and products, min and max with .relu, elements of
/// packed integers.
std::uint64_t small_integer(const ScalarCode& code, Type type, std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  const std::int64_t x = signed_of(type, a);
  const std::int64_t y = signed_of(type, b);
  std::int64_t result = 0;
  switch (opcode_of(code)) {
    case Opcode::Add: result = x + y; break;
    case Opcode::Sub: result = x - y; break;
    case Opcode::Neg: result = -x; break;
    case Opcode::Min: result = std::min(x, y); break;
    case Opcode::Max: result = std::max(x, y); break;
    case Opcode::Mad: result = (x * y >> 32) + signed_of(type, c); break;  // mad.hi.sat.s32
    default: break;
  }
  if (has(code, kRelu)) result = std::max<std::int64_t>(result, 0);
  if (has(code, kSaturates)) result = std::clamp<std::int64_t>(result, INT32_MIN, INT32_MAX);
  return static_cast<std::uint64_t>(result);
}

std::uint64_t evaluate(const ScalarCode& code, Type type, std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  if (!ptx::is_float(type)) return small_integer(code, type, a, b, c);
  if (ptx::bits_of(type) == 16) return small_float(code, type, a, b, c);
  return large_float(code, type, a, b, c);
}

std::uint64_t operand(const WarpCore& core, std::uint32_t offset, unsigned bytes, unsigned lane) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, core.frame + offset + std::size_t{lane} * bytes, bytes);
  return bits;
}

void execute_value(WarpCore& core, const Instruction& instruction) {
  const ScalarCode code = scalar_code(instruction);
  const Type type = type_of(code);
  const unsigned bytes = ptx::bytes_of(type);
  const Type element = element_of(type);
  for_each_lane(core.mask, [&](unsigned lane) {
    const std::uint64_t a = operand(core, instruction.a, bytes, lane);
    const std::uint64_t b = operand(core, instruction.b, bytes, lane);
    const std::uint64_t c = operand(core, instruction.c, bytes, lane);
    std::uint64_t result = 0;
    if (is_pair(type)) {
      const std::uint64_t low = evaluate(code, element, a & 0xffffU, b & 0xffffU, c & 0xffffU) & 0xffffU;
      const std::uint64_t high = evaluate(code, element, a >> 16U, b >> 16U, c >> 16U) & 0xffffU;
      result = low | high << 16U;
    } else {
      result = evaluate(code, type, a, b, c);
    }
    std::memcpy(core.frame + instruction.d + std::size_t{lane} * bytes, &result, bytes);
  });
}

template <class T>
bool compare_values(Comparison comparison, T a, T b) {
  switch (comparison) {
    case Comparison::Equal:
    case Comparison::EqualOrNan: return a == b;
    case Comparison::NotEqual:
    case Comparison::NotEqualOrNan: return a != b;
    case Comparison::Less:
    case Comparison::LessOrNan: return a < b;
    case Comparison::LessEqual:
    case Comparison::LessEqualOrNan: return a <= b;
    case Comparison::Greater:
    case Comparison::GreaterOrNan: return a > b;
    case Comparison::GreaterEqual:
    case Comparison::GreaterEqualOrNan: return a >= b;
    case Comparison::AreNumbers: return true;
    case Comparison::HasNan: return false;
  }
  return false;
}

bool compare(const ScalarCode& code, Type type, std::uint64_t a, std::uint64_t b) {
  const auto comparison = static_cast<Comparison>(code.comparison);
  if (!ptx::is_float(type)) {
    if (type == Type::U64) return compare_values(comparison, a, b);
    return compare_values(comparison, signed_of(type, a), signed_of(type, b));
  }
  const FloatFormat& format = format_of(type);
  double x = decode(format, a);
  double y = decode(format, b);
  if (has(code, kFlushes) && type != Type::F64) {
    x = flush(format, x);
    y = flush(format, y);
  }
  if (std::isnan(x) || std::isnan(y))
    return comparison >= Comparison::EqualOrNan && comparison != Comparison::AreNumbers;
  return compare_values(comparison, x, y);
}

bool combined(const ScalarCode& code, bool holds, bool predicate) {
  const bool other = predicate != ((code.combination & 16U) != 0);
  switch (static_cast<Combination>(code.combination & 3U)) {
    case Combination::And: return holds && other;
    case Combination::Or: return holds || other;
    case Combination::Xor: return holds != other;
    case Combination::None: break;
  }
  return holds;
}

void set_bit(WarpCore& core, std::uint32_t offset, unsigned lane, bool value) {
  if (offset == kNoResult) return;
  std::uint32_t* mask = values<std::uint32_t>(core, offset);
  *mask = (*mask & ~(1U << lane)) | static_cast<std::uint32_t>(value) << lane;
}

/// Executes setp of half precision. For packed types, each half has its own predicate.
void execute_setp(WarpCore& core, const Instruction& instruction) {
  const ScalarCode code = scalar_code(instruction);
  const Type type = type_of(code);
  const unsigned bytes = ptx::bytes_of(type);
  const std::uint32_t predicate = *values<std::uint32_t>(core, instruction.c);
  for_each_lane(core.mask, [&](unsigned lane) {
    const std::uint64_t a = operand(core, instruction.a, bytes, lane);
    const std::uint64_t b = operand(core, instruction.b, bytes, lane);
    const bool other = (predicate >> lane & 1U) != 0;
    if (is_pair(type)) {
      const Type element = element_of(type);
      set_bit(core, instruction.d, lane, combined(code, compare(code, element, a & 0xffffU, b & 0xffffU), other));
      set_bit(core, instruction.extra, lane, combined(code, compare(code, element, a >> 16U, b >> 16U), other));
    } else {
      const bool holds = compare(code, type, a, b);
      set_bit(core, instruction.d, lane, combined(code, holds, other));
      set_bit(core, instruction.extra, lane, combined(code, !holds, other));
    }
  });
}

/// Returns the value that set stores for true: 1.0, or all ones.
std::uint64_t truth(Type type) {
  if (ptx::is_float(type)) return encode(format_of(type), 1.0, Rounding::Nearest);
  return ~std::uint64_t{0};
}

void execute_set(WarpCore& core, const Instruction& instruction) {
  const ScalarCode code = scalar_code(instruction);
  const Type type = type_of(code);
  const auto source = static_cast<Type>(code.source);
  const unsigned bytes = ptx::bytes_of(type);
  const unsigned source_bytes = ptx::bytes_of(source);
  const std::uint32_t predicate = *values<std::uint32_t>(core, instruction.c);
  for_each_lane(core.mask, [&](unsigned lane) {
    const std::uint64_t a = operand(core, instruction.a, source_bytes, lane);
    const std::uint64_t b = operand(core, instruction.b, source_bytes, lane);
    const bool other = (predicate >> lane & 1U) != 0;
    std::uint64_t result = 0;
    if (is_pair(source)) {
      const Type element = element_of(source);
      const std::uint64_t one = is_pair(type) ? truth(element_of(type)) : 0xffffU;
      const bool low = combined(code, compare(code, element, a & 0xffffU, b & 0xffffU), other);
      const bool high = combined(code, compare(code, element, a >> 16U, b >> 16U), other);
      result = (low ? one & 0xffffU : 0) | (high ? (one & 0xffffU) << 16U : 0);
    } else {
      result = combined(code, compare(code, source, a, b), other) ? truth(type) : 0;
    }
    std::memcpy(core.frame + instruction.d + std::size_t{lane} * bytes, &result, bytes);
  });
}

bool has_property(Mode mode, const FloatFormat& format, double value) {
  const bool is_tiny = value != 0 && std::fabs(value) < std::ldexp(1.0, format.smallest_exponent);
  switch (mode) {
    case Mode::Finite: return std::isfinite(value);
    case Mode::Infinite: return std::isinf(value);
    case Mode::Number: return !std::isnan(value);
    case Mode::NotANumber: return std::isnan(value);
    case Mode::Normal: return std::isfinite(value) && !is_tiny;  // zero is normal (section 9.7.3.2)
    case Mode::Subnormal: return is_tiny;
    default: return false;
  }
}

void execute_testp(WarpCore& core, const Instruction& instruction) {
  const ScalarCode code = scalar_code(instruction);
  const FloatFormat& format = format_of(type_of(code));
  for_each_lane(core.mask, [&](unsigned lane) {
    const double value = decode(format, operand(core, instruction.a, format.bits / 8, lane));
    set_bit(core, instruction.d, lane, has_property(static_cast<Mode>(code.mode), format, value));
  });
}

/// Returns the place of the n-th set bit above or below a base (section 9.7.1.18). An H200 treats the smallest offset
/// as 0.
std::uint32_t nth_set(std::uint32_t mask, std::uint32_t base, std::int32_t offset) {
  if (base > 31) return 0xffffffff;
  if (offset == 0) return (mask >> base & 1U) != 0 ? base : 0xffffffff;
  if (offset == std::numeric_limits<std::int32_t>::min()) return 0;
  std::int32_t left = offset > 0 ? offset : -offset;
  const std::int32_t step = offset > 0 ? 1 : -1;
  for (auto at = static_cast<std::int32_t>(base); at >= 0 && at < 32; at += step) {
    if ((mask >> at & 1U) != 0 && --left == 0) return static_cast<std::uint32_t>(at);
  }
  return 0xffffffff;
}

void execute_fns(WarpCore& core, const Instruction& instruction) {
  for_each_lane(core.mask, [&](unsigned lane) {
    values<std::uint32_t>(core, instruction.d)[lane] =
        nth_set(values<std::uint32_t>(core, instruction.a)[lane], values<std::uint32_t>(core, instruction.b)[lane],
                values<std::int32_t>(core, instruction.c)[lane]);
  });
}

bool is_float_arithmetic(Opcode opcode) {
  switch (opcode) {
    case Opcode::Add:
    case Opcode::Sub:
    case Opcode::Mul:
    case Opcode::Fma:
    case Opcode::Mad:
    case Opcode::Min:
    case Opcode::Max:
    case Opcode::Neg:
    case Opcode::Abs:
    case Opcode::Div:
    case Opcode::Rcp:
    case Opcode::Sqrt:
    case Opcode::Rsqrt:
    case Opcode::Ex2:
    case Opcode::Lg2:
    case Opcode::Sin:
    case Opcode::Cos:
    case Opcode::Tanh: return true;
    default: return false;
  }
}

bool is_integer_arithmetic(const ArithmeticKey& key) {
  const bool is_packed = key.type == Type::U16x2 || key.type == Type::S16x2;
  switch (key.opcode) {
    case Opcode::Add:
    case Opcode::Sub: return is_packed || (key.type == Type::S32 && key.saturates);
    case Opcode::Neg: return is_packed;
    case Opcode::Min:
    case Opcode::Max: return is_packed || (key.type == Type::S32 && key.is_relu);
    case Opcode::Mad: return key.type == Type::S32 && key.saturates && key.part == Part::High;
    default: return false;
  }
}

}  // namespace

Execute find_scalar(const ArithmeticKey& key) {
  switch (key.opcode) {
    case Opcode::Cvt: return execute_conversion;
    case Opcode::Set: return execute_set;
    case Opcode::Setp: return ptx::is_float(key.type) ? execute_setp : nullptr;
    case Opcode::Testp: return execute_testp;
    case Opcode::Fns: return execute_fns;
    default: break;
  }
  if (key.type == Type::F32x2) return nullptr;
  if (ptx::is_float(key.type)) return is_float_arithmetic(key.opcode) ? execute_value : nullptr;
  return is_integer_arithmetic(key) ? execute_value : nullptr;
}

}  // namespace ambit::virtual_gpu
