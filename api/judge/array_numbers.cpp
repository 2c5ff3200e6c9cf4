#include "api/judge/array_numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace ambit::api {
namespace {

using Numbers = parser::LaunchedArray::Numbers;

/// The format of a two-byte floating-point number.
struct ShortFormat {
  int fraction_bits = 10;
  int bias = 15;

  int exponent_mask() const { return (1 << (15 - fraction_bits)) - 1; }
};
constexpr ShortFormat kHalf{10, 15};
constexpr ShortFormat kBrain{7, 127};

/// Rounds a number to the format; ties go to even. A finite number that is too large for the format becomes infinite.
std::uint16_t to_short(double number, ShortFormat format) {
  const auto sign = static_cast<std::uint16_t>(std::signbit(number) ? 0x8000 : 0);
  const int infinity = format.exponent_mask() << format.fraction_bits;
  if (std::isnan(number)) return static_cast<std::uint16_t>(sign | infinity | (infinity >> 1));
  const double size = std::abs(number);
  const int exponent = size == 0 ? 1 - format.bias : std::max(std::isinf(size) ? 0 : std::ilogb(size), 1 - format.bias);
  // The number is `units` times the distance between neighbouring numbers. If rounding reaches the next power of two,
  // the fraction overflows into the exponent, and the sum is still the correct encoding.
  const double units = std::nearbyint(std::ldexp(size, format.fraction_bits - exponent));
  const double code = units + std::ldexp(exponent + format.bias - 1, format.fraction_bits);
  return static_cast<std::uint16_t>(sign | (code < infinity ? static_cast<int>(code) : infinity));
}

double from_short(std::uint16_t bits, ShortFormat format) {
  const int fraction = bits & ((1 << format.fraction_bits) - 1);
  const int exponent = bits >> format.fraction_bits & format.exponent_mask();
  const double sign = (bits & 0x8000) != 0 ? -1 : 1;
  if (exponent == format.exponent_mask()) {
    return fraction == 0 ? sign * std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  }
  const int whole = exponent == 0 ? fraction : fraction | 1 << format.fraction_bits;
  return sign * std::ldexp(whole, std::max(exponent, 1) - format.bias - format.fraction_bits);
}

}  // namespace

bool ArrayNumbers::is_floating() const { return numbers_ == Numbers::Floating || numbers_ == Numbers::BrainFloat; }

bool ArrayNumbers::holds(double number) const {
  if (is_floating()) return true;
  const int width = static_cast<int>(bytes_) * 8;
  const bool is_signed = numbers_ == Numbers::Signed;
  const double limit = std::ldexp(1, is_signed ? width - 1 : width);
  return std::floor(number) == number && number >= (is_signed ? -limit : 0) && number < limit;
}

void ArrayNumbers::append(double number, std::vector<std::uint8_t>& bytes) const {
  std::uint64_t bits = 0;
  switch (numbers_) {
    case Numbers::Unknown: break;
    case Numbers::Signed: bits = static_cast<std::uint64_t>(static_cast<std::int64_t>(number)); break;
    case Numbers::Unsigned: bits = static_cast<std::uint64_t>(number); break;
    case Numbers::BrainFloat: bits = to_short(number, kBrain); break;
    case Numbers::Floating:
      bits = bytes_ == 2   ? to_short(number, kHalf)
             : bytes_ == 4 ? std::bit_cast<std::uint32_t>(static_cast<float>(number))
                           : std::bit_cast<std::uint64_t>(number);
      break;
  }
  std::uint8_t raw[sizeof bits];
  std::memcpy(raw, &bits, sizeof bits);
  bytes.insert(bytes.end(), raw, raw + bytes_);
}

std::uint64_t ArrayNumbers::bits(std::span<const std::uint8_t> bytes, std::uint64_t index) const {
  std::uint64_t bits = 0;
  std::memcpy(&bits, bytes.data() + index * bytes_, std::min<std::size_t>(bytes_, sizeof bits));
  return bits;
}

double ArrayNumbers::number(std::span<const std::uint8_t> bytes, std::uint64_t index) const {
  const std::uint64_t raw = bits(bytes, index);
  switch (numbers_) {
    case Numbers::Unknown:
    case Numbers::Unsigned: break;
    case Numbers::Signed: {
      const std::uint32_t unused = 64 - std::min(bytes_, 8U) * 8;
      return static_cast<double>(static_cast<std::int64_t>(raw << unused) >> unused);
    }
    case Numbers::BrainFloat: return from_short(static_cast<std::uint16_t>(raw), kBrain);
    case Numbers::Floating:
      return bytes_ == 2   ? from_short(static_cast<std::uint16_t>(raw), kHalf)
             : bytes_ == 4 ? std::bit_cast<float>(static_cast<std::uint32_t>(raw))
                           : std::bit_cast<double>(raw);
  }
  return static_cast<double>(raw);
}

std::string ArrayNumbers::text(std::span<const std::uint8_t> bytes, std::uint64_t index) const {
  const std::uint64_t raw = bits(bytes, index);
  switch (numbers_) {
    case Numbers::Unknown: break;
    case Numbers::Unsigned: return fmt::format("{}", raw);
    case Numbers::Signed: {
      const std::uint32_t unused = 64 - bytes_ * 8;
      return fmt::format("{}", static_cast<std::int64_t>(raw << unused) >> unused);
    }
    case Numbers::BrainFloat:
    case Numbers::Floating:
      return bytes_ == 8 ? fmt::format("{}", number(bytes, index))
                         : fmt::format("{}", static_cast<float>(number(bytes, index)));
  }
  return fmt::format("{:#x}", raw);
}

}  // namespace ambit::api
