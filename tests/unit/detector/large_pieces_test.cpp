#include "detector/clocks/large_pieces.h"

#include <gtest/gtest.h>

namespace ambit::detector {
namespace {

// Each piece of memory is twice as large as the previous piece, up to four megabytes.
TEST(LargePieces, ManyAreTaken) {
  LargePieces pieces;
  constexpr std::size_t kBytes = std::size_t{3} << 20U;
  auto* first = static_cast<unsigned char*>(pieces.take(16));
  for (int i = 0; i < 100; ++i) {
    auto* taken = static_cast<unsigned char*>(pieces.take(kBytes));
    EXPECT_EQ(taken[0], 0);
    EXPECT_EQ(taken[kBytes - 1], 0);
  }
  EXPECT_EQ(first[0], 0);
  EXPECT_GE(pieces.memory(), 100 * kBytes);
  EXPECT_LE(pieces.memory(), std::size_t{500} << 20U);
}

// A request that is larger than a piece gets a separate piece.
TEST(LargePieces, AreAsLargeAsWhatIsTaken) {
  LargePieces pieces;
  auto* taken = static_cast<unsigned char*>(pieces.take(std::size_t{9} << 20U));
  EXPECT_EQ(taken[(std::size_t{9} << 20U) - 1], 0);
}

}  // namespace
}  // namespace ambit::detector
