#include "parser/compiled/value_bounds.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>

namespace ambit::parser::compiled {
namespace {

using Wide = __int128;

constexpr Value kMost = std::numeric_limits<Value>::max();
constexpr Value kLeast = std::numeric_limits<Value>::min();
/// Maximum divisor; larger divisors give no information about addresses.
constexpr Value kLargestDivisor = Value{1} << 40;

/// Returns the bounds `low` and `high` if both are in the range of `type`; otherwise, the bounds of `type`.
Bounds without_wrapping(ScalarType type, Wide low, Wide high) {
  const Bounds all = bounds_of(type);
  // In unsigned 64-bit types, values above 2^63 - 1 look like wrapped values.
  const Wide least = type.is_signed ? Wide{all.low} : Wide{0};
  if (low < least || high > all.high) return all;
  return {static_cast<Value>(low), static_cast<Value>(high)};
}

/// Returns the bounds of an argument after its conversion to the type of the operation.
Bounds converted(const Expr& argument, ScalarType type) {
  const Bounds bounds = bounds_of(argument);
  return without_wrapping(type, bounds.low, bounds.high);
}

std::optional<Value> positive_constant(const Expr& expr, ScalarType type) {
  if (!expr.is_constant() || type.wrap(expr.constant) <= 0) return std::nullopt;
  return type.wrap(expr.constant);
}

Bounds product(ScalarType type, const Bounds& a, const Bounds& b) {
  const std::array corners = {Wide{a.low} * b.low, Wide{a.low} * b.high, Wide{a.high} * b.low, Wide{a.high} * b.high};
  return without_wrapping(type, std::ranges::min(corners), std::ranges::max(corners));
}

Bounds shifted(const Expr& expr, const Bounds& a) {
  const Expr& count = expr.arguments[1];
  if (!count.is_constant()) return bounds_of(expr.type);
  const auto bits = static_cast<unsigned>(static_cast<std::uint64_t>(count.constant) % expr.type.bits);
  if (expr.op == Op::ShiftLeft) {
    return without_wrapping(expr.type, Wide{a.low} * (Wide{1} << bits), Wide{a.high} * (Wide{1} << bits));
  }
  if (!expr.type.is_signed && a.low < 0) return bits == 0 ? a : Bounds{0, kMost >> (bits - 1)};
  return {a.low >> bits, a.high >> bits};
}

Bounds masked(const Expr& expr, const Bounds& a, const Bounds& b) {
  if (expr.op == Op::BitAnd) {
    if (a.low >= 0 && b.low >= 0) return {0, std::min(a.high, b.high)};
    if (a.low >= 0) return {0, a.high};
    if (b.low >= 0) return {0, b.high};
    return bounds_of(expr.type);
  }
  if (a.low < 0 || b.low < 0) return bounds_of(expr.type);
  const auto highest = static_cast<std::uint64_t>(std::max(a.high, b.high));
  const auto width = static_cast<unsigned>(std::bit_width(highest));
  return {0, width >= 63 ? kMost : (Value{1} << width) - 1};
}

Bounds divided(const Expr& expr, const Bounds& a) {
  const std::optional<Value> by = positive_constant(expr.arguments[1], expr.type);
  if (!by || (!expr.type.is_signed && a.low < 0)) return bounds_of(expr.type);
  if (expr.op == Op::Divide) return {a.low / *by, a.high / *by};
  return {a.low >= 0 ? 0 : std::max(a.low, 1 - *by), std::min(std::max<Value>(a.high, 0), *by - 1)};
}

Bounds joined(const Bounds& a, const Bounds& b) { return {std::min(a.low, b.low), std::max(a.high, b.high)}; }

/// Returns the largest power of two that divides `divisor`. If `divisor` divides a value, this power of two divides the
/// value even after the value has wrapped.
Value power_of_two_in(Value divisor) { return divisor & (~divisor + 1); }

Value limited(Wide divisor) {
  if (divisor <= kLargestDivisor) return static_cast<Value>(divisor);
  const Wide power = divisor & (~divisor + 1);
  return power > kLargestDivisor ? kLargestDivisor : static_cast<Value>(power);
}

/// Returns `divisor` if the operation does not wrap; otherwise, the largest power of two that divides `divisor`.
Value unless_wrapped(const Expr& expr, Value divisor) {
  if (expr.type.bits >= 64) return divisor;  // addresses are too small to wrap in 64 bits
  const Bounds all = bounds_of(expr.type);
  const Bounds bounds = bounds_of(expr);
  return bounds.low == all.low && bounds.high == all.high ? power_of_two_in(divisor) : divisor;
}

}  // namespace

Bounds bounds_of(ScalarType type) {
  if (type.bits >= 64) return {kLeast, kMost};
  const Value size = Value{1} << type.bits;
  return type.is_signed ? Bounds{-size / 2, size / 2 - 1} : Bounds{0, size - 1};
}

Bounds bounds_of(const Expr& expr) {
  if (expr.is_constant()) return {expr.constant, expr.constant};
  if (is_boolean(expr.op)) return {0, 1};
  if (expr.op == Op::Register) return bounds_of(expr.type);
  if (expr.op == Op::Select)
    return joined(converted(expr.arguments[1], expr.type), converted(expr.arguments[2], expr.type));
  const Bounds a = converted(expr.arguments[0], expr.type);
  const Bounds b = expr.arguments.size() > 1 ? converted(expr.arguments[1], expr.type) : Bounds{};
  switch (expr.op) {
    case Op::Cast: return a;
    case Op::Negate: return without_wrapping(expr.type, -Wide{a.high}, -Wide{a.low});
    case Op::Add: return without_wrapping(expr.type, Wide{a.low} + b.low, Wide{a.high} + b.high);
    case Op::Subtract: return without_wrapping(expr.type, Wide{a.low} - b.high, Wide{a.high} - b.low);
    case Op::Multiply: return product(expr.type, a, b);
    case Op::ShiftLeft:
    case Op::ShiftRight: return shifted(expr, a);
    case Op::BitAnd:
    case Op::BitOr:
    case Op::BitXor: return masked(expr, a, b);
    case Op::Divide:
    case Op::Remainder: return divided(expr, a);
    case Op::Min:
    case Op::Max:
      if (!expr.type.is_signed && (a.low < 0 || b.low < 0)) break;
      return expr.op == Op::Min ? Bounds{std::min(a.low, b.low), std::min(a.high, b.high)}
                                : Bounds{std::max(a.low, b.low), std::max(a.high, b.high)};
    default: break;
  }
  return bounds_of(expr.type);
}

Value divisor_of(const Expr& expr) {
  if (expr.is_constant()) return expr.constant == kLeast ? kLargestDivisor : std::abs(expr.constant);
  if (expr.arguments.empty() || is_boolean(expr.op)) return 1;
  const auto of = [&](std::size_t i) { return divisor_of(expr.arguments[i]); };
  switch (expr.op) {
    case Op::Cast: {
      const Bounds bounds = bounds_of(expr.arguments[0]);
      const bool keeps_value = bounds.lies_within(bounds_of(expr.type)) && (expr.type.is_signed || bounds.low >= 0);
      return keeps_value || expr.type.bits >= 64 ? of(0) : power_of_two_in(of(0));
    }
    case Op::Negate: return unless_wrapped(expr, of(0));
    case Op::Add:
    case Op::Subtract: return unless_wrapped(expr, std::gcd(of(0), of(1)));
    case Op::Multiply: return unless_wrapped(expr, limited(Wide{of(0)} * of(1)));
    case Op::ShiftLeft: {
      if (!expr.arguments[1].is_constant()) return power_of_two_in(of(0));
      const auto count = static_cast<std::uint64_t>(expr.arguments[1].constant) % expr.type.bits;
      return unless_wrapped(expr, limited(Wide{of(0)} << std::min<std::uint64_t>(count, 40)));
    }
    case Op::ShiftRight: {
      if (!expr.arguments[1].is_constant()) return 1;
      const auto count = static_cast<std::uint64_t>(expr.arguments[1].constant) % expr.type.bits;
      return std::max<Value>(power_of_two_in(of(0)) >> count, 1);
    }
    case Op::BitAnd: {
      const Value a = power_of_two_in(of(0));
      const Value b = power_of_two_in(of(1));
      return a == 0 || b == 0 ? 0 : std::max(a, b);
    }
    case Op::BitOr:
    case Op::BitXor: return std::gcd(power_of_two_in(of(0)), power_of_two_in(of(1)));
    case Op::Min:
    case Op::Max: return std::gcd(power_of_two_in(of(0)), power_of_two_in(of(1)));
    case Op::Select: return std::gcd(power_of_two_in(of(1)), power_of_two_in(of(2)));
    default: return 1;
  }
}

Value possible_bits(const Expr& expr) {
  const Value divisor = divisor_of(expr);
  if (divisor == 0) return 0;
  const Bounds bounds = bounds_of(expr);
  const auto width = static_cast<unsigned>(std::bit_width(static_cast<std::uint64_t>(bounds.high)));
  const Value bits = bounds.low < 0 || width >= 63 ? -1 : (Value{1} << width) - 1;
  return bits & ~(power_of_two_in(divisor) - 1);
}

}  // namespace ambit::parser::compiled
