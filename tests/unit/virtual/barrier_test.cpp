#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/virtual/kernel_run.h"

namespace ambit::virtual_gpu {
namespace {

using testing::HasSubstr;

/// PTX code that stores %r6 of each thread at p0 + 4 * (the number of the thread in the grid).
const char* const kStore = R"(
    mov.u32 %r30, %tid.x;
    mov.u32 %r31, %ctaid.x;
    mov.u32 %r32, %ntid.x;
    mad.lo.u32 %r33, %r31, %r32, %r30;
    ld.param.u64 %rd30, [p0];
    mad.wide.u32 %rd31, %r33, 4, %rd30;
    st.global.u32 [%rd31], %r6;
    ret;)";

std::vector<std::uint32_t> results_of_threads(const std::string& body, std::uint32_t threads,
                                              const std::string& before = {}, std::uint32_t blocks = 1,
                                              std::uint32_t of_cluster = 1) {
  KernelRun run(kernel_text(1, body + kStore, before));
  run.cluster.x = of_cluster;
  const std::uint64_t to = run.fresh(4 * threads * blocks);
  for (const ScheduleKind kind : {ScheduleKind::Random, ScheduleKind::Pct, ScheduleKind::RoundRobin}) {
    run.device.options().schedule.kind = kind;
    run.device.options().schedule.quantum = kind == ScheduleKind::Random ? 3 : 0;
    run.run("k", {blocks, 1, 1}, {threads, 1, 1}, {to});
  }
  return run.read<std::uint32_t>(to, threads * blocks);
}

TEST(Barriers, OthersSeeEarlierStores) {
  const auto found = results_of_threads(R"(
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, s;
    mad.lo.u32 %r3, %r1, 4, %r2;
    st.shared.u32 [%r3], %r1;
    bar.sync 0;
    mov.u32 %r4, 99;
    sub.u32 %r4, %r4, %r1;
    mad.lo.u32 %r5, %r4, 4, %r2;
    ld.shared.u32 %r6, [%r5];
    bar.sync 0;)",
                                        100, ".shared .align 4 .b8 s[400];");
  for (std::uint32_t i = 0; i < 100; ++i) EXPECT_EQ(found[i], 99 - i);
}

TEST(Barriers, ExitedThreadsDoNotBlockOthers) {
  const auto found = results_of_threads(R"(
    mov.u32 %r1, %tid.x;
    mov.u32 %r6, 1;
    setp.lt.u32 %p1, %r1, 40;
    @%p1 bra $store;
    bar.sync 0;
    mov.u32 %r6, 2;
  $store:)",
                                        128);
  for (std::uint32_t i = 0; i < 128; ++i) EXPECT_EQ(found[i], i < 40 ? 1U : 2U);
}

TEST(Barriers, OneWarpArrivesAndAnotherWaits) {
  const auto found = results_of_threads(R"(
    mov.u32 %r1, %tid.x;
    mov.u32 %r6, 0;
    setp.lt.u32 %p1, %r1, 32;
    @%p1 bra $produce;
    bar.sync 1, 64;
    ld.shared.u32 %r6, [s];
    bra.uni $store;
  $produce:
    st.shared.u32 [s], 7;
    membar.cta;
    bar.arrive 1, 64;
  $store:)",
                                        64, ".shared .align 4 .b8 s[4];");
  for (std::uint32_t i = 32; i < 64; ++i) EXPECT_EQ(found[i], 7U);
}

TEST(Barriers, ReductionsCountAndCombine) {
  const auto found = results_of_threads(R"(
    mov.u32 %r1, %tid.x;
    setp.lt.u32 %p1, %r1, 70;
    bar.red.popc.u32 %r2, 0, %p1;
    bar.red.popc.u32 %r3, 0, !%p1;
    bar.red.or.pred %p2, 0, %p1;
    bar.red.and.pred %p3, 0, %p1;
    selp.u32 %r4, 10000, 0, %p2;
    selp.u32 %r5, 100000, 0, %p3;
    mad.lo.u32 %r6, %r3, 100, %r2;
    add.u32 %r6, %r6, %r4;
    add.u32 %r6, %r6, %r5;)",
                                        100);
  for (const std::uint32_t value : found) EXPECT_EQ(value, 70 + 3000 + 10000U);
}

TEST(Barriers, BlocksOfAClusterReadEachOthersMemory) {
  const auto found = results_of_threads(R"(
    mov.u32 %r1, %tid.x;
    mov.u32 %r7, %cluster_ctarank;
    mad.lo.u32 %r2, %r7, 1000, %r1;
    mov.u32 %r3, s;
    mad.lo.u32 %r4, %r1, 4, %r3;
    st.shared.u32 [%r4], %r2;
    barrier.cluster.arrive.release;
    barrier.cluster.wait.acquire;
    xor.b32 %r8, %r7, 1;
    mapa.shared::cluster.u32 %r9, %r4, %r8;
    ld.shared::cluster.u32 %r6, [%r9];
    barrier.cluster.arrive;
    barrier.cluster.wait;)",
                                        32, ".shared .align 4 .b8 s[128];", 4, 2);
  for (std::uint32_t i = 0; i < 128; ++i) EXPECT_EQ(found[i], (1 - i / 32 % 2) * 1000 + i % 32);
}

TEST(Barriers, ArrivalAndExitCountForOneThread) {
  // Thread 0 arrives and exits. The other threads wait for thread 1. Thread 1 stores before it arrives.
  const auto found = results_of_threads(R"(
    mov.u32 %r1, %tid.x;
    mov.u32 %r6, 1;
    setp.eq.u32 %p1, %r1, 1;
    @%p1 bra $last;
    barrier.cluster.arrive;
    setp.eq.u32 %p1, %r1, 0;
    @%p1 bra $store;
    barrier.cluster.wait;
    ld.shared.u32 %r6, [s];
    bra.uni $store;
  $last:
    mov.u32 %r7, 0;
  $delay:
    add.u32 %r7, %r7, 1;
    setp.lt.u32 %p1, %r7, 50;
    @%p1 bra $delay;
    st.shared.u32 [s], 7;
    barrier.cluster.arrive;
    barrier.cluster.wait;
  $store:)",
                                        32, ".shared .align 4 .b8 s[4];", 2, 2);
  for (std::uint32_t i = 0; i < 64; ++i) EXPECT_EQ(found[i], i % 32 < 2 ? 1U : 7U);
}

TEST(Barriers, ObjectsInSharedMemoryCountArrivalsOfEachPhase) {
  const auto found = results_of_threads(R"(
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, s;
    setp.ne.u32 %p1, %r1, 0;
    @%p1 bra $made;
    mbarrier.init.shared.b64 [%r2], 64;
  $made:
    bar.sync 0;
    st.shared.u32 [s+8], 5;
    mad.lo.u32 %r3, %r1, 4, %r2;
    st.shared.u32 [%r3+16], %r1;
    mbarrier.arrive.shared.b64 %rd1, [%r2];
  $wait:
    mbarrier.test_wait.shared.b64 %p2, [%r2], %rd1;
    @!%p2 bra $wait;
    xor.b32 %r4, %r1, 63;
    mad.lo.u32 %r5, %r4, 4, %r2;
    ld.shared.u32 %r6, [%r5+16];
    mbarrier.arrive.shared.b64 _, [%r2];
  $again:
    mbarrier.try_wait.parity.shared.b64 %p2, [%r2], 1;
    @!%p2 bra $again;)",
                                        64, ".shared .align 8 .b8 s[280];");
  for (std::uint32_t i = 0; i < 64; ++i) EXPECT_EQ(found[i], 63 - i);
}

LaunchReport stuck(KernelRun& run, std::uint32_t threads) {
  auto launched = run.launch("k", {1, 1, 1}, {threads, 1, 1}, {});
  EXPECT_TRUE(launched.ok());
  return launched.ok() ? std::move(launched).value() : LaunchReport{};
}

TEST(Deadlocks, ReportWhereThreadsWait) {
  KernelRun run(kernel_text(0, R"(
    mov.u32 %r1, %tid.x;
    setp.lt.u32 %p1, %r1, 32;
    @%p1 bra $first;
    bar.sync 1;
    bra.uni $end;
  $first:
    bar.sync 2;
  $end:
    ret;)"));
  const LaunchReport report = stuck(run, 64);
  EXPECT_EQ(report.end, LaunchEnd::Deadlock);
  ASSERT_EQ(report.unfinished.size(), 2U);
  EXPECT_EQ(report.unfinished[0].what, "wait at barrier 2, where 32 of 64 threads have arrived");
  EXPECT_EQ(report.unfinished[1].threads, 32U);
  EXPECT_EQ(run.device.site(report.unfinished[1].site).instruction, "bar.sync");
  EXPECT_EQ(report.findings.back().kind, FindingKind::Deadlock);
}

TEST(Deadlocks, WaitingForABlockThatCannotStart) {
  KernelRun run(kernel_text(1, R"(
    ld.param.u64 %rd1, [p0];
    mov.u32 %r1, %ctaid.x;
    setp.eq.u32 %p1, %r1, 3;
    @%p1 bra $last;
  $wait:
    ld.volatile.global.u32 %r2, [%rd1];
    setp.eq.u32 %p2, %r2, 0;
    @%p2 bra $wait;
    ret;
  $last:
    st.volatile.global.u32 [%rd1], 1;
    ret;)"));
  run.device.options().resident_threads = 64;
  run.device.options().step_budget = 100'000;
  const std::uint64_t flag = run.array<std::uint32_t>({0});
  auto launched = run.launch("k", {4, 1, 1}, {32, 1, 1}, {flag});
  ASSERT_TRUE(launched.ok());
  EXPECT_EQ(launched.value().end, LaunchEnd::StepBudget);
  EXPECT_EQ(launched.value().unfinished.back().what,
            "have not started: only 2 blocks fit on the device, and none of them has ended");
  run.device.options().resident_threads = 128;
  run.run("k", {4, 1, 1}, {32, 1, 1}, {flag});
}

TEST(Deadlocks, ALaneThatNeverComes) {
  KernelRun run(kernel_text(0, R"(
    mov.u32 %r1, %tid.x;
    setp.lt.u32 %p1, %r1, 16;
    @%p1 bra $first;
    bar.warp.sync 0xffffffff;
    bra.uni $end;
  $first:
    bar.sync 0;
  $end:
    ret;)"));
  const LaunchReport report = stuck(run, 32);
  EXPECT_EQ(report.end, LaunchEnd::Deadlock);
  ASSERT_EQ(report.unfinished.size(), 2U);
  EXPECT_THAT(report.unfinished[0].what + report.unfinished[1].what,
              HasSubstr("wait for the lanes 0x0000ffff of their warp"));
}

TEST(Divergence, LanesOfAWarpAtTwoBarrierInstructionsAreReported) {
  KernelRun run(kernel_text(0, R"(
    mov.u32 %r1, %tid.x;
    setp.lt.u32 %p1, %r1, 16;
    @%p1 bra $first;
    bar.sync 0;
    bra.uni $end;
  $first:
    bar.sync 0;
  $end:
    ret;)"));
  const LaunchReport report = stuck(run, 32);
  EXPECT_EQ(report.end, LaunchEnd::Completed);
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_EQ(report.findings[0].kind, FindingKind::BarrierDivergence);
}

}  // namespace
}  // namespace ambit::virtual_gpu
