#include "tests/order/order.h"

#include <gtest/gtest.h>

namespace ambit::order {
namespace {

/// Compares the runs of some random programs. ambit_order compares the runs of more programs.
void compare_sample(const std::string& detector) {
  Comparison all;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const Comparison one = compare(seed, detector, 8);
    EXPECT_EQ(one.false_report, "") << "seed " << seed;
    EXPECT_EQ(one.missed, "") << "seed " << seed;
    all.runs += one.runs;
    all.racy += one.racy;
  }
  EXPECT_GT(all.racy, 100U);
  EXPECT_GT(all.runs - all.racy, 100U);
}

TEST(Order, BarracudaMatchesPtx) { compare_sample("barracuda"); }
TEST(Order, GwcpMatchesPtx) { compare_sample("gwcp"); }

}  // namespace
}  // namespace ambit::order
