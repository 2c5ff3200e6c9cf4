#include "core/bit_expressions.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <vector>

namespace ambit {
namespace {

/// Compares the results with those of the standard library's functions.
TEST(BitExpressions, CountAsTheProcessorDoes) {
  const std::vector<std::uint64_t> numbers = {0,
                                              1,
                                              2,
                                              3,
                                              0x80,
                                              0xffff,
                                              0x80000000,
                                              0xffffffff,
                                              0x12345678,
                                              0xf0f0f0f0f0f0f0f0,
                                              ~std::uint64_t{0},
                                              std::uint64_t{1} << 63U,
                                              0x8000000000000001};
  for (const std::uint64_t number : numbers) {
    const Expr wide = Expr::make_constant(static_cast<Value>(number), kUnsignedLongLong);
    EXPECT_EQ(count_ones(wide).constant, std::popcount(number)) << number;
    EXPECT_EQ(count_leading_zeros(wide).constant, std::countl_zero(number)) << number;
    EXPECT_EQ(find_first_set(wide).constant, number == 0 ? 0 : std::countr_zero(number) + 1) << number;
    const auto narrow_number = static_cast<std::uint32_t>(number);
    const Expr narrow = Expr::make_constant(static_cast<std::int32_t>(narrow_number), kInt);
    EXPECT_EQ(count_ones(narrow).constant, std::popcount(narrow_number)) << number;
    EXPECT_EQ(count_leading_zeros(narrow).constant, std::countl_zero(narrow_number)) << number;
    EXPECT_EQ(find_first_set(narrow).constant, narrow_number == 0 ? 0 : std::countr_zero(narrow_number) + 1) << number;
    std::uint32_t reversed = 0;
    for (unsigned bit = 0; bit < 32; ++bit) reversed |= ((narrow_number >> bit) & 1U) << (31 - bit);
    EXPECT_EQ(reverse_bits(narrow).constant, reversed) << number;
  }
}

}  // namespace
}  // namespace ambit
