#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/virtual/kernel_run.h"

namespace ambit::virtual_gpu {
namespace {

using testing::HasSubstr;

/// Runs `body` in one block, and returns the value of %r6 in each thread.
std::vector<std::uint32_t> results_of_lanes(const std::string& body, std::uint32_t threads = 32) {
  KernelRun run(kernel_text(1, "mov.u32 %r1, %tid.x;\n" + body + R"(
    ld.param.u64 %rd30, [p0];
    mad.wide.u32 %rd31, %r1, 4, %rd30;
    st.global.u32 [%rd31], %r6;
    ret;)"));
  const std::uint64_t to = run.fresh(std::uint64_t{4} * threads);
  run.run("k", {1, 1, 1}, {threads, 1, 1}, {to});
  return run.read<std::uint32_t>(to, threads);
}

TEST(Shuffles, EachMode) {
  const auto up = results_of_lanes("shfl.sync.up.b32 %r6|%p1, %r1, 3, 0, -1;\n@!%p1 mov.u32 %r6, 99;");
  const auto down = results_of_lanes("shfl.sync.down.b32 %r6|%p1, %r1, 3, 31, -1;\n@!%p1 mov.u32 %r6, 99;");
  const auto butterfly = results_of_lanes("shfl.sync.bfly.b32 %r6, %r1, 5, 31, -1;");
  const auto index = results_of_lanes("shfl.sync.idx.b32 %r6, %r1, 2, 0x1807, -1;");  // segments of 8 lanes
  for (std::uint32_t i = 0; i < 32; ++i) {
    EXPECT_EQ(up[i], i < 3 ? 99 : i - 3);
    EXPECT_EQ(down[i], i > 28 ? 99 : i + 3);
    EXPECT_EQ(butterfly[i], i ^ 5U);
    EXPECT_EQ(index[i], (i & 24U) + 2);
  }
}

TEST(Shuffles, DivergedLanesMeetAtDifferentInstructions) {
  const auto found = results_of_lanes(R"(
    and.b32 %r2, %r1, 1;
    setp.eq.u32 %p1, %r2, 0;
    @%p1 bra $even;
    shfl.sync.bfly.b32 %r6, %r1, 1, 31, -1;
    bra.uni $join;
  $even:
    mul.lo.u32 %r3, %r1, 100;
    shfl.sync.bfly.b32 %r6, %r3, 1, 31, -1;
  $join:)");
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(found[i], i % 2 == 0 ? i + 1 : (i - 1) * 100);
}

TEST(Votes, EachMode) {
  const auto found = results_of_lanes(R"(
    setp.lt.u32 %p1, %r1, 5;
    vote.sync.ballot.b32 %r2, %p1, -1;
    vote.sync.any.pred %p2, %p1, -1;
    vote.sync.all.pred %p3, !%p1, -1;
    vote.sync.uni.pred %p4, %p1, -1;
    selp.u32 %r3, 100, 0, %p2;
    selp.u32 %r4, 1000, 0, %p3;
    selp.u32 %r5, 10000, 0, %p4;
    add.u32 %r6, %r2, %r3;
    add.u32 %r6, %r6, %r4;
    add.u32 %r6, %r6, %r5;)");
  for (const std::uint32_t value : found) EXPECT_EQ(value, 31 + 100U);
}

TEST(Matches, AnyAndAll) {
  const auto any = results_of_lanes("shr.u32 %r2, %r1, 3;\nmatch.any.sync.b32 %r6, %r2, -1;");
  const auto all = results_of_lanes("match.all.sync.b32 %r6|%p1, 7, -1;\n@!%p1 mov.u32 %r6, 0;");
  for (std::uint32_t i = 0; i < 32; ++i) {
    EXPECT_EQ(any[i], 0xffU << (i & 24U));
    EXPECT_EQ(all[i], 0xffffffffU);
  }
}

TEST(Reductions, OfAWarp) {
  for (const std::uint32_t value : results_of_lanes("redux.sync.add.s32 %r6, %r1, -1;")) EXPECT_EQ(value, 496U);
  for (const std::uint32_t value : results_of_lanes("redux.sync.max.u32 %r6, %r1, -1;", 20)) EXPECT_EQ(value, 19U);
  const auto half =
      results_of_lanes("mov.u32 %r6, 0;\nsetp.lt.u32 %p1, %r1, 16;\n@%p1 redux.sync.add.u32 %r6, %r1, 0xffff;");
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(half[i], i < 16 ? 120U : 0U);
}

TEST(Exchanges, ALaneOutsideOfItsMaskIsAnError) {
  KernelRun run(kernel_text(0, "bar.warp.sync 0xffff;\nret;"));
  auto launched = run.launch("k", {1, 1, 1}, {32, 1, 1}, {});
  EXPECT_EQ(launched.value().end, LaunchEnd::IllegalInstruction);
  EXPECT_THAT(launched.value().findings.back().message, HasSubstr("lane 16 is not in the member mask 0x0000ffff"));
}

}  // namespace
}  // namespace ambit::virtual_gpu
