// In every schedule, each lane, warp or block that can continue eventually continues.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/virtual/kernel_run.h"

namespace ambit::virtual_gpu {
namespace {

using testing::HasSubstr;

class Fairness : public testing::TestWithParam<ScheduleKind> {
 protected:
  static void prepare(KernelRun& run, std::uint64_t seed, std::uint64_t steps) {
    run.device.options().schedule.kind = GetParam();
    run.device.options().schedule.seed = seed;
    run.device.options().step_budget = steps;
  }
};

// Each thread takes two locks: the lock of its account, and the next account's lock, in the order of their addresses.
// If another thread holds the second lock, the thread releases the first lock. The code that spins or releases a lock
// has lower instruction numbers than the code of the thread that holds the lock.
constexpr const char* kTwoLocks = R"(
    ld.param.u64 %rd1, [p0];
    mov.u32 %r1, %tid.x;
    rem.u32 %r2, %r1, 5;
    add.u32 %r3, %r2, 1;
    mul.wide.u32 %rd2, %r2, 8;
    mul.wide.u32 %rd3, %r3, 8;
    add.s64 %rd4, %rd1, %rd2;
    add.s64 %rd5, %rd1, %rd3;
  $again:
    atom.global.cas.b32 %r4, [%rd4], 0, 1;
    setp.ne.u32 %p1, %r4, 0;
    @%p1 bra $again;
    atom.global.cas.b32 %r5, [%rd5], 0, 1;
    setp.ne.u32 %p2, %r5, 0;
    @%p2 bra $back;
    membar.gl;
    ld.global.u32 %r6, [%rd4+4];
    add.u32 %r6, %r6, 1;
    st.global.u32 [%rd4+4], %r6;
    membar.gl;
    atom.global.exch.b32 %r7, [%rd5], 0;
    atom.global.exch.b32 %r7, [%rd4], 0;
    bra $end;
  $back:
    atom.global.exch.b32 %r7, [%rd4], 0;
    bra $again;
  $end:
    ret;)";

TEST_P(Fairness, TheHolderOfTwoLocksRuns) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    KernelRun run(kernel_text(1, kTwoLocks));
    prepare(run, seed, 5'000'000);
    const std::uint64_t accounts = run.array<std::uint32_t>(std::vector<std::uint32_t>(12, 0));
    run.run("k", {}, {64, 1, 1}, {accounts});
    const auto values = run.read<std::uint32_t>(accounts, 12);
    EXPECT_EQ(values[1] + values[3] + values[5] + values[7] + values[9], 64U);
  }
}

// Thread 0 of each block increments a counter and waits until it counts every block. `poll` reads the counter into %r3.
std::string meets(const std::string& poll) {
  return R"(
    ld.param.u64 %rd1, [p0];
    mov.u32 %r1, %tid.x;
    setp.ne.u32 %p1, %r1, 0;
    @%p1 bra $join;
    atom.global.add.u32 %r2, [%rd1], 1;
    mov.u32 %r4, %nctaid.x;
  $wait:
)" + poll +
         R"(
    setp.lt.u32 %p2, %r3, %r4;
    @%p2 bra $wait;
  $join:
    bar.sync 0;
    ret;)";
}

TEST_P(Fairness, BlocksThatWaitForEachOtherBecomeResident) {
  for (const char* poll :
       {"ld.volatile.global.u32 %r3, [%rd1];", "atom.global.add.u32 %r3, [%rd1], 0;",
        "ld.acquire.gpu.global.u32 %r3, [%rd1];", "ld.relaxed.gpu.global.u32 %r3, [%rd1];\nnanosleep.u32 100;"}) {
    KernelRun run(kernel_text(1, meets(poll)));
    prepare(run, 1, 100'000'000);
    const std::uint64_t count = run.array<std::uint32_t>({0});
    run.run("k", {300, 1, 1}, {64, 1, 1}, {count});
  }
}

TEST_P(Fairness, ACooperativeLaunchIsResidentAsAWhole) {
  KernelRun run(kernel_text(1, meets("ld.volatile.global.u32 %r3, [%rd1];")));
  prepare(run, 1, 100'000'000);
  Launch launch;
  launch.module = run.module;
  launch.kernel = "k";
  launch.grid = {300, 1, 1};
  launch.block = {64, 1, 1};
  launch.is_cooperative = true;
  launch.parameters.resize(8);
  const std::uint64_t count = run.array<std::uint32_t>({0});
  std::memcpy(launch.parameters.data(), &count, 8);
  auto launched = run.device.launch(launch, run.context);
  ASSERT_TRUE(launched.ok());
  EXPECT_EQ(launched.value().end, LaunchEnd::Completed);
  // The device has 132 processors, and 32 blocks of 64 threads fit on each processor.
  launch.grid = {132 * 32 + 1, 1, 1};
  launched = run.device.launch(launch, run.context);
  ASSERT_FALSE(launched.ok());
  EXPECT_THAT(render(launched.errors()), HasSubstr("of 4225 blocks; the device holds 4224 at once"));
  // Two blocks with 100 KB of shared memory fit on a processor.
  launch.dynamic_shared_bytes = 100 << 10;
  launch.grid = {132 * 2 + 1, 1, 1};
  EXPECT_FALSE(run.device.launch(launch, run.context).ok());
}

// All blocks except the last poll. The last block executes 100'000 instructions before it increments the counter.
TEST_P(Fairness, ManyBlocksThatPollLeaveTurnsToTheOneTheyWaitFor) {
  constexpr const char* kLate = R"(
    mov.u32 %r5, %ctaid.x;
    setp.ne.u32 %p3, %r5, 299;
    @%p3 bra $on;
    mov.u32 %r6, 0;
  $compute:
    add.u32 %r6, %r6, 1;
    setp.lt.u32 %p4, %r6, 33333;
    @%p4 bra $compute;
  $on:)";
  for (const char* poll : {"ld.volatile.global.u32 %r3, [%rd1];", "atom.global.add.u32 %r3, [%rd1], 0;",
                           "ld.relaxed.gpu.global.u32 %r3, [%rd1];\nnanosleep.u32 100;"}) {
    KernelRun run(kernel_text(1, kLate + meets(poll)));
    prepare(run, 1, 100'000'000);
    const std::uint64_t count = run.array<std::uint32_t>({0});
    const LaunchReport report = run.run("k", {300, 1, 1}, {64, 1, 1}, {count});
    EXPECT_LT(report.statistics.accesses, 50'000U) << poll;
  }
}

INSTANTIATE_TEST_SUITE_P(All, Fairness,
                         testing::Values(ScheduleKind::RoundRobin, ScheduleKind::Random, ScheduleKind::Pct));

}  // namespace
}  // namespace ambit::virtual_gpu
