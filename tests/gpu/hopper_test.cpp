// Tests tensor maps and programmatic dependent launch on a GPU. The tests are skipped if there is no GPU.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/gpu/on_gpu.h"

namespace ambit::cuda {
namespace {

class GpuHopper : public OnGpu {
 protected:
  /// Runs the tests and requires that each instance has an outcome. Returns false if there is no GPU.
  bool run_all() {
    if (!run()) return false;
    EXPECT_EQ(ends_.size(), campaign_.tests.size());
    for (const TestEnd& end : ends_) {
      EXPECT_EQ(end.kind, TestEnd::Kind::Finished) << end.message;
      EXPECT_GT(end.report.instances, 0U);
      EXPECT_EQ(end.report.histogram.runs(), end.report.instances);
      EXPECT_EQ(end.report.histogram.bound_hits, 0U);
    }
    return true;
  }

  bool run_files(const std::vector<std::string>& files) {
    for (const std::string& file : files) {
      campaign_.tests.push_back(test::program_in("litmus/async/" + file + ".litmus"));
    }
    return run_all();
  }

  /// Expects that the condition holds in all seen outcomes or in no seen outcome.
  void expect_everywhere(std::size_t test, bool holds) const {
    ASSERT_LT(test, ends_.size());
    for (const auto& [outcome, runs] : ends_[test].report.histogram.outcomes) {
      EXPECT_EQ(evaluate(*campaign_.tests[test]->condition.proposition, outcome) != 0, holds)
          << campaign_.tests[test]->name;
    }
  }
};

// These tests load, store and reduce boxes of one and two dimensions. They have no data races, and each has only one
// possible outcome.
TEST_F(GpuHopper, TensorCopiesMoveTheDeclaredBox) {
  if (!run_files({"45-ptx-tensor-load+wait", "46-ptx-tensor-store+fence", "47-ptx-tensor-reduce"}))
    GTEST_SKIP() << reason_;
  expect_everywhere(0, true);
  expect_everywhere(1, false);
  expect_everywhere(2, true);
}

// Some tests change a tensor map. The runner restores the tensor map in every round.
TEST_F(GpuHopper, TensorMapsAreChanged) {
  const bool ran =
      run_files({"51-cudnn-frontend-898+each", "52-flashinfer-4845+release", "53-ptx-tensormap-replace+fences",
                 "53-ptx-tensormap-replace+cp_fenceproxy", "54-ptx-tensormap-in-use+wait"});
  if (!ran) GTEST_SKIP() << reason_;
  for (std::size_t test = 0; test < ends_.size(); ++test) expect_everywhere(test, true);
}

// A copy with a changed map moves the declared box. A multicast copy moves the box into both blocks of a cluster.
TEST_F(GpuHopper, BoxesHaveTheElementsOfTheDeclaration) {
  const std::string wait = " LC00: mbarrier.try_wait.parity.shared::cta.b64 r9, [b], 0";
  campaign_.tests = {
      test::program_of(
          "PTX changed\n{ .u32 g[16]={0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15}; t = tensormap(g, {4,4}, {4,2});\n"
          " .u32 s[8] @ cta 0; b @ cta 0 = mbarrier(1); }\n P0@cta 0 ;\n"
          " tensormap.replace.tile.global_address.global.b1024.b64 [t], 1 ;\n"
          " tensormap.replace.tile.rank.global.b1024.b32 [t], 1 ;\n"
          " tensormap.replace.tile.box_dim.global.b1024.b32 [t], 1, 1 ;\n"
          " tensormap.replace.tile.global_dim.global.b1024.b32 [t], 1, 1 ;\n"
          " tensormap.replace.tile.global_stride.global.b1024.b64 [t], 0, 1 ;\n"
          " tensormap.replace.tile.element_stride.global.b1024.b32 [t], 1, 1 ;\n"
          " tensormap.replace.tile.elemtype.global.b1024.b32 [t], 1 ;\n"
          " tensormap.replace.tile.swizzle_mode.global.b1024.b32 [t], 1 ;\n"
          " fence.proxy.tensormap::generic.release.gpu ;\n"
          " fence.proxy.tensormap::generic.acquire.gpu [t], 128 ;\n"
          " mbarrier.arrive.expect_tx.shared::cta.b64 _, [b], 32 ;\n"
          " cp.async.bulk.tensor.2d.shared::cta.global.mbarrier::complete_tx::bytes [s], [t, {0,2}], [b] ;\n" +
              wait + " ;\n beq r9, 0, LC00 ;\n ld.weak.shared.u32 r0, [s] ;\n ld.weak.shared.u32 r1, [s+28] ;\n" +
              "forall (P0:r0 == 8 /\\ P0:r1 == 15)\n",
          "changed.litmus"),
      test::program_of(
          "PTX multicast\n{ .u32 g[8]={0,1,2,3,4,5,6,7}; t = tensormap(g, {8}, {4}); .shared .u32 s[4];\n"
          " .shared b = mbarrier(1); }\n P0@cta 0,cluster 0 | P1@cta 1,cluster 0 ;\n"
          " mbarrier.arrive.expect_tx.shared::cta.b64 _, [b], 16 | mbarrier.arrive.expect_tx.shared::cta.b64 _, [b], "
          "16 ;\n"
          " cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [s], [t, "
          "{4}], [b], 3 | ;\n" +
              wait + " | LC01: mbarrier.try_wait.parity.shared::cta.b64 r9, [b], 0 ;\n" +
              " beq r9, 0, LC00 | beq r9, 0, LC01 ;\n ld.weak.shared.u32 r0, [s] | ld.weak.shared.u32 r0, [s+12] ;\n" +
              "forall (P0:r0 == 4 /\\ P1:r0 == 7)\n",
          "multicast.litmus")};
  if (!run_all()) GTEST_SKIP() << reason_;
  expect_everywhere(0, true);
  expect_everywhere(1, true);
}

// A dependent grid sees two kinds of stores: all stores of a grid that has ended, and the stores that the previous grid
// released before it started the dependent grid.
TEST_F(GpuHopper, DependentGridsSeeTheReleasesOfThePreviousGrid) {
  if (!run_files({"34-cutlass-2760+wait", "34-cutlass-2760+launch-later+fence", "05-flashinfer-3361+fence",
                  "34-cutlass-2760"}))
    GTEST_SKIP() << reason_;
  for (std::size_t test = 0; test < 3; ++test) expect_everywhere(test, false);
}

}  // namespace
}  // namespace ambit::cuda
