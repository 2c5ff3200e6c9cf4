#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/virtual/kernel_run.h"

namespace ambit::virtual_gpu {
namespace {

const char* const kLoop = R"(
    ld.param.u64 %rd1, [p0];
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, 0;
    mov.u32 %r3, 0;
  $again:
    add.u32 %r3, %r3, %r2;
    add.u32 %r2, %r2, 1;
    setp.le.u32 %p1, %r2, %r1;
    @%p1 bra $again;
    mul.wide.u32 %rd2, %r1, 4;
    add.s64 %rd3, %rd1, %rd2;
    st.global.u32 [%rd3], %r3;
    ret;)";

TEST(Lanes, LoopsOfDifferentLengthMeetAfterTheLoop) {
  KernelRun run(kernel_text(1, kLoop));
  const std::uint64_t to = run.fresh(4 * 64);
  const LaunchReport report = run.run("k", {1, 1, 1}, {64, 1, 1}, {to});
  const auto sums = run.read<std::uint32_t>(to, 64);
  for (std::uint32_t i = 0; i < 64; ++i) EXPECT_EQ(sums[i], i * (i + 1) / 2);
  // Each warp executes the instructions outside the loop once. It executes the loop as often as the lane with the
  // largest number of iterations.
  EXPECT_EQ(report.statistics.warp_instructions, 2 * 8U + 4 * (32 + 64));
}

TEST(Lanes, BothSidesOfABranchJoin) {
  KernelRun run(kernel_text(1, R"(
    ld.param.u64 %rd1, [p0];
    mov.u32 %r1, %tid.x;
    and.b32 %r2, %r1, 1;
    setp.eq.u32 %p1, %r2, 0;
    @%p1 bra $even;
    mul.lo.u32 %r3, %r1, 3;
    bra.uni $join;
  $even:
    add.u32 %r3, %r1, 100;
  $join:
    activemask.b32 %r4;
    popc.b32 %r5, %r4;
    mad.lo.u32 %r6, %r5, 1000, %r3;
    mul.wide.u32 %rd2, %r1, 4;
    add.s64 %rd3, %rd1, %rd2;
    st.global.u32 [%rd3], %r6;
    ret;)"));
  const std::uint64_t to = run.fresh(4 * 32);
  run.run("k", {1, 1, 1}, {32, 1, 1}, {to});
  const auto values = run.read<std::uint32_t>(to, 32);
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(values[i], 32000 + (i % 2 == 0 ? i + 100 : 3 * i));
}

/// The lane that holds the lock has left the loop. The other lanes wait in the loop.
const char* const kLockAfterLoop = R"(
    ld.param.u64 %rd1, [p0];
    ld.param.u64 %rd2, [p1];
  $wait:
    atom.global.cas.b32 %r1, [%rd1], 0, 1;
    setp.ne.u32 %p1, %r1, 0;
    @%p1 bra $wait;
    membar.gl;
    ld.volatile.global.u32 %r2, [%rd2];
    add.u32 %r2, %r2, 1;
    st.volatile.global.u32 [%rd2], %r2;
    membar.gl;
    atom.global.exch.b32 %r3, [%rd1], 0;
    ret;)";
/// The critical section is inside the loop.
const char* const kLockInsideLoop = R"(
    ld.param.u64 %rd1, [p0];
    ld.param.u64 %rd2, [p1];
    mov.u32 %r5, 0;
  $again:
    atom.global.cas.b32 %r1, [%rd1], 0, 1;
    setp.ne.u32 %p1, %r1, 0;
    @%p1 bra $next;
    membar.gl;
    ld.volatile.global.u32 %r2, [%rd2];
    add.u32 %r2, %r2, 1;
    st.volatile.global.u32 [%rd2], %r2;
    membar.gl;
    atom.global.exch.b32 %r3, [%rd1], 0;
    mov.u32 %r5, 1;
  $next:
    setp.eq.u32 %p2, %r5, 0;
    @%p2 bra $again;
    ret;)";

class Locks : public testing::TestWithParam<std::tuple<const char*, ScheduleKind>> {};

TEST_P(Locks, EachThreadEntersOnce) {
  KernelRun run(kernel_text(2, std::get<0>(GetParam())));
  run.device.options().schedule.kind = std::get<1>(GetParam());
  run.context.set_timeout(std::chrono::seconds(20));
  const std::uint64_t lock = run.array<std::uint32_t>({0});
  const std::uint64_t counter = run.array<std::uint32_t>({0});
  const LaunchReport report = run.run("k", {2, 1, 1}, {128, 1, 1}, {lock, counter});
  EXPECT_EQ(run.read<std::uint32_t>(counter, 1)[0], 256U);
  EXPECT_LT(report.statistics.lane_instructions, 20'000'000U);
}

INSTANTIATE_TEST_SUITE_P(All, Locks,
                         testing::Combine(testing::Values(kLockAfterLoop, kLockInsideLoop),
                                          testing::Values(ScheduleKind::RoundRobin, ScheduleKind::Random,
                                                          ScheduleKind::Pct)));

TEST(Lanes, AThreadWaitsForAStoreOfAnotherBlock) {
  KernelRun run(kernel_text(1, R"(
    ld.param.u64 %rd1, [p0];
    mov.u32 %r1, %ctaid.x;
    setp.eq.u32 %p1, %r1, 0;
    @!%p1 bra $store;
  $wait:
    ld.volatile.global.u32 %r2, [%rd1];
    setp.eq.u32 %p2, %r2, 0;
    @%p2 bra $wait;
    ret;
  $store:
    st.volatile.global.u32 [%rd1], 1;
    ret;)"));
  for (const ScheduleKind kind : {ScheduleKind::RoundRobin, ScheduleKind::Random, ScheduleKind::Pct}) {
    run.device.options().schedule.kind = kind;
    run.context.set_timeout(std::chrono::seconds(10));
    run.run("k", {2, 1, 1}, {32, 1, 1}, {run.array<std::uint32_t>({0})});
  }
}

TEST(Schedules, TheSameSeedGivesTheSameRun) {
  KernelRun run(kernel_text(2, R"(
    ld.param.u64 %rd1, [p0];
    ld.param.u64 %rd2, [p1];
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %ntid.x;
    mov.u32 %r3, %tid.x;
    mad.lo.u32 %r4, %r1, %r2, %r3;
    atom.global.add.u32 %r5, [%rd1], 1;
    mul.wide.u32 %rd3, %r4, 4;
    add.s64 %rd4, %rd2, %rd3;
    st.global.u32 [%rd4], %r5;
    ret;)"));
  const auto order = [&](ScheduleKind kind, std::uint64_t seed) {
    run.device.options().schedule = {kind, seed, 3, 3, 100};
    const std::uint64_t to = run.fresh(4 * 1024);
    run.run("k", {8, 1, 1}, {128, 1, 1}, {run.array<std::uint32_t>({0}), to});
    return run.read<std::uint32_t>(to, 1024);
  };
  for (const ScheduleKind kind : {ScheduleKind::Random, ScheduleKind::Pct}) {
    EXPECT_EQ(order(kind, 5), order(kind, 5));
    EXPECT_NE(order(kind, 5), order(kind, 6));
  }
  EXPECT_EQ(order(ScheduleKind::RoundRobin, 1), order(ScheduleKind::RoundRobin, 2));
}

}  // namespace
}  // namespace ambit::virtual_gpu
