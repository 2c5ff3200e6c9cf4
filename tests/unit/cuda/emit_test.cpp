#include "runner/cuda/emit/emit_kernel.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "tests/support/parsed.h"

namespace ambit::cuda {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

std::shared_ptr<const Program> parse(const std::string& text) { return test::program_of(text, "t.litmus"); }

Result<Kernel> kernel_of(const std::string& body, Shape shape = {}) { return emit(*parse("CUDA t\n" + body), shape); }

std::vector<std::string> names(const std::vector<MarkedInstruction>& instructions) {
  std::vector<std::string> texts;
  for (const MarkedInstruction& instruction : instructions) texts.push_back(instruction.text);
  return texts;
}

/// Returns the PTX instructions of a program with one thread, whose code is `body`.
std::vector<std::string> ptx(const std::string& body, const std::string& memory = "global int x = 0;") {
  const auto kernel = kernel_of("{ " + memory + " }\nP0 @ block 0 { " + body + " }\n");
  if (!kernel.ok()) return {render(kernel.errors())};
  return names(kernel.value().instructions[0]);
}

std::string errors(const std::string& body) {
  const auto kernel = kernel_of(body);
  return kernel.ok() ? std::string() : render(kernel.errors());
}

// Tests the rows of definitions/events.md 2.1. Each row is a real PTX instruction with state space and type.
TEST(EmitCuda, PlainAndVolatileAccesses) {
  EXPECT_THAT(ptx("x = 1;"), ElementsAre("st.weak.global.s32"));
  EXPECT_THAT(ptx("int r0 = x;"), ElementsAre("ld.weak.global.s32"));
  EXPECT_THAT(ptx("v = 1; int r0 = v;", "volatile global int v = 0;"),
              ElementsAre("st.volatile.global.s32", "ld.volatile.global.s32"));
}

TEST(EmitCuda, AtomicsKeepScopeAndType) {
  EXPECT_THAT(ptx("int r0 = atomicAdd(&x, 1);"), ElementsAre("atom.relaxed.gpu.global.add.u32"));
  EXPECT_THAT(ptx("int r0 = atomicMax_block(&x, 1);"), ElementsAre("atom.relaxed.cta.global.max.s32"));
  EXPECT_THAT(ptx("int r0 = atomicCAS_system(&x, 1, 2);"), ElementsAre("atom.relaxed.sys.global.cas.b32"));
  EXPECT_THAT(ptx("unsigned r0 = atomicMin(&x, 1u);", "global unsigned x = 3;"),
              ElementsAre("atom.relaxed.gpu.global.min.u32"));
  EXPECT_THAT(ptx("unsigned long long r0 = atomicExch(&x, 1ull);", "global unsigned long long x = 0;"),
              ElementsAre("atom.relaxed.gpu.global.exch.b64"));
}

TEST(EmitCuda, FencesKeepTheirScope) {
  EXPECT_THAT(ptx("__threadfence();"), ElementsAre("fence.sc.gpu"));
  EXPECT_THAT(ptx("__threadfence_block();"), ElementsAre("fence.sc.cta"));
  EXPECT_THAT(ptx("__threadfence_system();"), ElementsAre("fence.sc.sys"));
}

// An SC access becomes a fence.sc, followed by an acquire load, a relaxed store or an acquire RMW.
TEST(EmitCuda, SeqCstAccessesHaveAFenceBefore) {
  EXPECT_THAT(ptx("int r0 = load(x, seq_cst, device);"), ElementsAre("fence.sc.gpu", "ld.acquire.gpu.global.s32"));
  EXPECT_THAT(ptx("store(x, 1, seq_cst, block);"), ElementsAre("fence.sc.cta", "st.relaxed.cta.global.s32"));
}

TEST(EmitCuda, NarrowAndWideCells) {
  EXPECT_THAT(ptx("x = 1;", "global unsigned char x = 0;"), ElementsAre("st.weak.global.u8"));
  EXPECT_THAT(ptx("long long r0 = x;", "global long long x = 0;"), ElementsAre("ld.weak.global.s64"));
}

TEST(EmitCuda, SharedMemoryIsReachedByGenericAddresses) {
  const auto kernel =
      kernel_of("{ shared int s = 0; }\nP0 @ block 0 { s = 1; }\nP1 @ block 0 { int r0 = s; }\nexists (P1:r0 == 1)\n");
  ASSERT_TRUE(kernel.ok()) << render(kernel.errors());
  EXPECT_THAT(names(kernel.value().instructions[0]), ElementsAre("st.weak.s32"));
  EXPECT_THAT(kernel.value().source, HasSubstr("at.shared_cell(0"));
  // A block of 256 threads runs 128 instances of the test, and each instance has a cell of 8 bytes.
  EXPECT_EQ(kernel.value().shared_bytes, 8U * 128U);
}

TEST(EmitCuda, ComputedAddressesAreLookedUp) {
  const auto kernel =
      kernel_of("{ global int a[2] = {0, 0}; global int i = 1; }\nP0 @ block 0 { int r0 = i; a[r0] = 1; }\n");
  ASSERT_TRUE(kernel.ok()) << render(kernel.errors());
  EXPECT_THAT(names(kernel.value().instructions[0]), ElementsAre("ld.weak.global.s32", "st.weak.s32"));
  EXPECT_THAT(kernel.value().source, HasSubstr("locate(at, "));
  EXPECT_THAT(kernel.value().source, HasSubstr("element < 2u ? at.cell(0 + element) : nullptr;  // a"));
}

// The test has two warps, so a block of 256 threads holds four copies of it. All eight warps meet at the barrier.
TEST(EmitCuda, BlockBarriersCountTheActiveWarps) {
  const auto kernel = kernel_of(
      "{ global int x = 0; }\nP0 @ block 0 { x = 1; __syncthreads(); }\nP1 @ block 0 { __syncthreads(); int r0 = x; }\n"
      "exists (P1:r0 == 1)\n");
  ASSERT_TRUE(kernel.ok()) << render(kernel.errors());
  EXPECT_THAT(names(kernel.value().instructions[1]), ElementsAre("barrier.sync", "ld.weak.global.s32"));
  EXPECT_THAT(kernel.value().source, HasSubstr("barrier.sync 0, 256;"));
}

// If instances ran in sequence without a wait, a thread that only arrives could run ahead. It would reach the next
// instance's barrier too early.
TEST(EmitCuda, ArrivalsWithoutAWaitComeOncePerRound) {
  const auto program = parse(
      "PTX t\n{ x=0; }\n P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n bar.arrive 1, 2 | bar.sync 1, 2 ;\nexists (x == 0)\n");
  ASSERT_NE(program, nullptr);
  const auto kernel = emit(*program, {256, 4});
  ASSERT_TRUE(kernel.ok()) << render(kernel.errors());
  EXPECT_EQ(kernel.value().layout.shape.batch, 1U);
  // Two warps of the test use the barrier, and a block of 256 threads has four copies of the test.
  EXPECT_THAT(kernel.value().source, HasSubstr("barrier.arrive 1, 256;"));
  EXPECT_THAT(kernel.value().source, HasSubstr("barrier.sync 1, 256;"));
}

// If a block ran several instances, threads of two instances could meet at the barrier, and both threads would pass.
TEST(EmitCuda, BarrierWithExcessUsersServesOneInstance) {
  const auto program = parse(
      "PTX t\n{ x=0; }\n P0@cta 0,gpu 0 | P1@cta 0,gpu 0 | P2@cta 0,gpu 0 | P3@cta 0,gpu 0 ;\n"
      " bar.sync 1, 2 | bar.sync 1, 2 | bar.sync 1, 2 | bar.sync 1, 2 ;\nexists (x == 0)\n");
  ASSERT_NE(program, nullptr);
  const auto kernel = emit(*program, {512, 8});
  ASSERT_TRUE(kernel.ok()) << render(kernel.errors());
  EXPECT_EQ(kernel.value().layout.shape.batch, 1U);
  EXPECT_EQ(kernel.value().layout.warp_groups(), 1U);
  EXPECT_THAT(kernel.value().source, HasSubstr("barrier.sync 1, 64;"));
}

// Suppose that a block ran two instances. The P0 of one instance could arrive twice and so complete the barrier for
// both P1. The P1 of the other instance would then pass the barrier before its own P0 arrives.
TEST(EmitCuda, BarrierReusedWithoutAWaitServesOneInstance) {
  for (const std::string second : {"bar.arrive", "bar.sync"}) {
    const auto program =
        parse("PTX t\n{ x=0; }\n P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n bar.arrive 1, 2 | bar.sync 1, 2 ;\n " + second +
              " 1, 2 | bar.sync 1, 2 ;\nexists (x == 0)\n");
    ASSERT_NE(program, nullptr);
    const auto kernel = emit(*program, {512, 8});
    ASSERT_TRUE(kernel.ok()) << render(kernel.errors());
    EXPECT_EQ(kernel.value().layout.warp_groups(), 1U) << second;
  }
}

// The third arrival in a run would count for the next run. There, P1 could pass the barrier before P0 arrives.
TEST(EmitCuda, RefusesExcessArrivals) {
  const auto program = parse(
      "PTX t\n{ x=0; }\n P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n bar.arrive 1, 2 | bar.sync 1, 2 ;\n"
      " bar.arrive 1, 2 |               ;\nexists (x == 0)\n");
  ASSERT_NE(program, nullptr);
  const auto kernel = emit(*program, {256, 1});
  ASSERT_FALSE(kernel.ok());
  EXPECT_THAT(render(kernel.errors()),
              HasSubstr("4:2: error: the test arrives 3 times at a barrier that waits for 2 arrivals"));
}

TEST(EmitCuda, LoopsAreBounded) {
  const auto kernel =
      kernel_of("{ global int x = 0; }\nP0 @ block 0 { while (atomicAdd(&x, 0) == 0) {} }\nP1 @ block 1 { x = 1; }\n");
  ASSERT_TRUE(kernel.ok()) << render(kernel.errors());
  EXPECT_FALSE(kernel.value().is_straight[0]);
  EXPECT_TRUE(kernel.value().is_straight[1]);
  EXPECT_THAT(kernel.value().source, HasSubstr("if (++steps < at.parameters.max_steps) goto L0;"));
}

// The layout follows the scope tree. Threads of different blocks in the test are in different blocks of the kernel, and
// threads of one warp in the test are in one warp.
TEST(EmitCuda, LayoutFollowsTheScopeTree) {
  const auto two_blocks = kernel_of("{ global int x = 0; }\nP0 @ block 0 { x = 1; }\nP1 @ block 1 { x = 2; }\n");
  ASSERT_TRUE(two_blocks.ok());
  EXPECT_EQ(two_blocks.value().layout.clusters.size(), 2U);
  EXPECT_EQ(two_blocks.value().layout.slots(), 256U);
  const auto one_warp = kernel_of(
      "{ global int x = 0; }\nP0 @ block 0 warp 0 lane 0 { x = 1; }\nP1 @ block 0 warp 0 lane 1 { x = 2; }\n");
  ASSERT_TRUE(one_warp.ok());
  EXPECT_EQ(one_warp.value().layout.lanes, 2U);
  EXPECT_EQ(one_warp.value().layout.slots(), 8U * 16U);
}

// Each GPU of a test has its own clusters. The harness synchronises the clusters of all GPUs.
TEST(EmitCuda, ATestOnSeveralGpusHasClustersOnEach) {
  const auto kernel = kernel_of(
      "{ global int x = 0; }\nP0 @ gpu 2 block 0 { x = 1; }\nP1 @ gpu 5 block 1 { x = 2; }\n"
      "P2 @ gpu 5 block 2 { int r0 = x; }\n");
  ASSERT_TRUE(kernel.ok());
  EXPECT_EQ(kernel.value().layout.gpu_clusters, (std::vector<std::uint32_t>{1, 2}));
  EXPECT_EQ(kernel.value().layout.place_of(0), 0U);
  EXPECT_EQ(kernel.value().layout.place_of(2), 2U);
  EXPECT_THAT(kernel.value().source, HasSubstr("#define AMBIT_HARNESS_SCOPE \"sys\""));
}

TEST(EmitCuda, WhatHardwareLacksIsALocatedError) {
  EXPECT_THAT(errors("{ global int x = 0; }\nP0 @ block 0 { int r0 = x; if (r0 == 0) { __syncthreads(); } }\n"),
              HasSubstr("error: a barrier that a thread may jump over or repeat"));
}

TEST(EmitCuda, PtxFilesHaveTheSameInstructions) {
  const auto program = parse(
      "PTX t\n{ x=0; }\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n st.release.gpu x, 1 | ld.acquire.sys r0, x ;\n "
      "fence.acq_rel.gpu | "
      "fence.proxy.alias ;\n red.relaxed.gpu.add x, 1 | ;\nexists (P1:r0 == 1)\n");
  ASSERT_NE(program, nullptr);
  const auto kernel = emit(*program);
  ASSERT_TRUE(kernel.ok()) << render(kernel.errors());
  EXPECT_THAT(names(kernel.value().instructions[0]),
              ElementsAre("st.release.gpu.global.s32", "fence.acq_rel.gpu", "red.relaxed.gpu.global.add.u32"));
  EXPECT_THAT(names(kernel.value().instructions[1]), ElementsAre("ld.acquire.sys.global.s32", "fence.proxy.alias"));
}

// An alias is a second virtual address of x: the runner maps the cell twice.
TEST(EmitCuda, AliasesAreOtherAddressesOfTheirCells) {
  const auto program = parse(
      "PTX t\n{ x=0; y @ generic aliases x; }\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n st.weak x, 1 | fence.proxy.alias "
      ";\n | "
      "ld.weak r0, y ;\nexists (P1:r0 == 1)\n");
  ASSERT_NE(program, nullptr);
  const auto kernel = emit(*program);
  ASSERT_TRUE(kernel.ok()) << render(kernel.errors());
  EXPECT_EQ(kernel.value().aliases, 1U);
  EXPECT_THAT(kernel.value().source, HasSubstr("at.alias(0 /* y */, 1)"));
}

// The recorder logs only accesses and fences. It logs the number of the instruction, the value that the instruction
// read, and whether the instruction left memory unchanged.
TEST(EmitCuda, TheRecorderKeepsWhatWasRead) {
  const auto kernel = kernel_of(
      "{ global int x = 0; }\nP0 @ block 0 { x = 1; __threadfence(); int r0 = x; }\nP1 @ block 1 { int r0 = "
      "atomicAdd(&x, 1); }\n",
      {128, 1, true});
  ASSERT_TRUE(kernel.ok()) << render(kernel.errors());
  EXPECT_THAT(kernel.value().source, HasSubstr("at.log(0, logged, ticket, 0, 0, false);"));
  EXPECT_THAT(kernel.value().source, HasSubstr("at.log(0, logged, ticket, 2, (int)t0, true);"));
  EXPECT_THAT(kernel.value().source, HasSubstr("at.log(0, logged, ticket, 1, 0, true);"));
  EXPECT_THAT(kernel.value().source, HasSubstr("at.log(1, logged, ticket, 0, (int)t0, (int)(1) == 0);"));
  EXPECT_THAT(kernel_of("{ global int x = 0; }\nP0 @ block 0 { x = 1; }\n").value().source,
              Not(HasSubstr("at.log(0, logged")));
}

TEST(EmitCuda, ClusterScopeNeedsHopper) {
  const auto program = parse(
      "PTX t\n{ x=0; }\n P0@cta 0,cluster 0,gpu 0 | P1@cta 1,cluster 0,gpu 0 ;\n st.release.cluster x, 1 | "
      "ld.acquire.cluster r0, x "
      ";\nexists (P1:r0 == 1)\n");
  ASSERT_NE(program, nullptr);
  const auto kernel = emit(*program);
  ASSERT_TRUE(kernel.ok()) << render(kernel.errors());
  EXPECT_EQ(kernel.value().lowest_arch, 90U);
  EXPECT_EQ(kernel.value().layout.cluster_blocks, 2U);
}

}  // namespace
}  // namespace ambit::cuda
