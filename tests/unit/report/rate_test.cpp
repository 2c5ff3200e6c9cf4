#include "report/results/rate.h"

#include <gtest/gtest.h>

namespace ambit::report {
namespace {

// The usual examples for this formula: 1 of 10, and 0 of 100. For 0 of 100, the upper limit is 3.84 / 103.84.
TEST(WilsonRate, IsTheIntervalOfTheScore) {
  const Rate rate = wilson_rate(1, 10);
  EXPECT_DOUBLE_EQ(rate.share, 0.1);
  EXPECT_NEAR(rate.low, 0.01788, 1e-5);
  EXPECT_NEAR(rate.high, 0.40415, 1e-5);
  EXPECT_EQ(wilson_rate(0, 100).low, 0);
  EXPECT_NEAR(wilson_rate(0, 100).high, 3.8415 / 103.8415, 1e-5);
}

TEST(WilsonRate, NeverLeavesTheSharesThatExist) {
  EXPECT_EQ(wilson_rate(0, 0).low, 0);
  EXPECT_EQ(wilson_rate(0, 0).high, 1);
  EXPECT_EQ(wilson_rate(7, 7).high, 1);
  EXPECT_GT(wilson_rate(7, 7).low, 0.6);
  const Rate many = wilson_rate(3, 5'000'000'000'000);
  EXPECT_GT(many.low, 0);
  EXPECT_LT(many.low, many.share);
  EXPECT_GT(many.high, many.share);
}

}  // namespace
}  // namespace ambit::report
