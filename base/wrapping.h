#pragma once

#include <cstdint>

namespace ambit {

/// Returns a + b modulo 2^64, as a signed number.
constexpr std::int64_t wrapping_sum(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

/// Returns a * b modulo 2^64, as a signed number.
constexpr std::int64_t wrapping_product(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}

}  // namespace ambit
