// Runs transactions on a GPU, with the transactional memories of kernels/stm. The tests are skipped if there is no GPU.

#include <gtest/gtest.h>

#include "tests/gpu/on_gpu.h"

namespace ambit::cuda {
namespace {

class GpuTransactions : public OnGpu, public testing::WithParamInterface<Stm> {};

// No update is lost. Every instance has an outcome, because no attempt reached the bound.
TEST_P(GpuTransactions, NoUpdateIsLost) {
  campaign_.options.stm = GetParam();
  campaign_.tests = {
      parse("{ global int x = 0; }\nP0 @ block 0 { atomic { int r0 = x; x = r0 + 1; } }\n"
            "P1 @ block 1 { atomic { int r1 = x; x = r1 + 1; } }\nforall (x == 2)\n")};
  if (!run()) GTEST_SKIP() << reason_;
  ASSERT_EQ(ends_[0].kind, TestEnd::Kind::Finished) << ends_[0].message;
  const Histogram& histogram = ends_[0].report.histogram;
  ASSERT_EQ(histogram.outcomes.size(), 1U);
  EXPECT_EQ(histogram.outcomes.begin()->first, std::vector<Value>{2});
  EXPECT_EQ(histogram.outcomes.begin()->second, ends_[0].report.instances);
}

// An abort undoes the write; the registers keep their values.
TEST_P(GpuTransactions, AnAbortLeavesRegistersOnly) {
  campaign_.options.stm = GetParam();
  campaign_.tests = {
      parse("{ global int x = 3; }\nP0 @ block 0 { int r0; atomic { r0 = x; x = 7; abort; } }\n"
            "forall (x == 3 && P0:r0 == 3)\n")};
  if (!run()) GTEST_SKIP() << reason_;
  ASSERT_EQ(ends_[0].kind, TestEnd::Kind::Finished) << ends_[0].message;
  ASSERT_EQ(ends_[0].report.histogram.outcomes.size(), 1U);
  EXPECT_EQ(ends_[0].report.histogram.outcomes.begin()->first, (std::vector<Value>{3, 3}));
}

INSTANTIATE_TEST_SUITE_P(Memories, GpuTransactions,
                         testing::Values(Stm::Estm, Stm::Pstm, Stm::Istm, Stm::IstmAsPublished));

}  // namespace
}  // namespace ambit::cuda
