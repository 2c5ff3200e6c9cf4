// Tests the times at which cp.async copies take effect, and at which observers receive the copies.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/virtual/kernel_run.h"

namespace ambit::virtual_gpu {
namespace {

using testing::ElementsAre;

/// Records the steps of copies, as lines such as "write issue".
class Steps : public Observer {
 public:
  void access(const WarpAccess& access) override {
    if (access.copy == CopyStep::None) return;
    const char* const names[] = {"", "issue", "tracked", "completed", "over"};
    const std::string what = access.space == AccessSpace::Shared ? "write" : "read";
    all.push_back(what + " " + names[static_cast<std::size_t>(access.copy)]);
    last_lanes = access.lanes;
  }
  std::vector<std::string> all;
  std::uint32_t last_lanes = 0;
};

constexpr const char* kCopyThenWait = R"(
    .shared .align 4 .b8 s[128];
    ld.param.u64 %rd1, [p0];
    ld.param.u64 %rd2, [p1];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd3, %r1, 4;
    add.s64 %rd1, %rd1, %rd3;
    add.s64 %rd2, %rd2, %rd3;
    mov.u32 %r2, s;
    shl.b32 %r3, %r1, 2;
    add.u32 %r2, %r2, %r3;
    st.shared.u32 [%r2], 7;
    cp.async.ca.shared.global [%r2], [%rd1], 4;
    cp.async.commit_group;
    ld.shared.u32 %r4, [%r2];
    st.global.u32 [%rd2], %r4;
    cp.async.wait_group 0;
    ld.shared.u32 %r5, [%r2];
    st.global.u32 [%rd2+128], %r5;
    ret;)";

// PTX ISA, cp.async.wait_group: the writes of a copy need not be visible before this wait. With the round-robin
// schedule, a copy takes effect at the wait.
TEST(Copies, TakePlaceWhenTheyAreWaitedFor) {
  KernelRun run(kernel_text(2, kCopyThenWait));
  const std::uint64_t in = run.array<std::uint32_t>(std::vector<std::uint32_t>(32, 9));
  const std::uint64_t out = run.array<std::uint32_t>(std::vector<std::uint32_t>(64, 0));
  run.run("k", {}, {32, 1, 1}, {in, out});
  const auto read = run.read<std::uint32_t>(out, 64);
  EXPECT_EQ(read[0], 7U);
  EXPECT_EQ(read[32], 9U);
}

// The schedule chooses the time at which a copy takes effect. Before the wait, some seeds show the old value and some
// show the new value. After the wait, all seeds show the new value.
TEST(Copies, TakePlaceAtSomeTimeBeforeTheWait) {
  bool is_early = false;
  bool is_late = false;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    KernelRun run(kernel_text(2, kCopyThenWait));
    run.device.options().schedule.kind = ScheduleKind::Random;
    run.device.options().schedule.seed = seed;
    const std::uint64_t in = run.array<std::uint32_t>(std::vector<std::uint32_t>(32, 9));
    const std::uint64_t out = run.array<std::uint32_t>(std::vector<std::uint32_t>(64, 0));
    run.run("k", {}, {32, 1, 1}, {in, out});
    const auto read = run.read<std::uint32_t>(out, 64);
    is_early |= read[0] == 9;
    is_late |= read[0] == 7;
    EXPECT_EQ(read[32], 9U) << seed;
  }
  EXPECT_TRUE(is_early);
  EXPECT_TRUE(is_late);
}

TEST(Copies, AreReportedAtTheirIssueAndAtTheirCompletion) {
  KernelRun run(kernel_text(2, kCopyThenWait));
  Steps steps;
  const std::uint64_t in = run.array<std::uint32_t>(std::vector<std::uint32_t>(32, 9));
  const std::uint64_t out = run.array<std::uint32_t>(std::vector<std::uint32_t>(64, 0));
  run.device.set_observer(&steps);
  run.run("k", {}, {32, 1, 1}, {in, out});
  run.device.set_observer(nullptr);
  EXPECT_THAT(steps.all, ElementsAre("read issue", "write issue", "read completed", "write completed"));
  EXPECT_EQ(steps.last_lanes, ~0U);
}

// With two groups, wait_group 1 waits until the first group is complete.
TEST(Copies, AGroupIsCompleteWhenOnlyYoungerOnesMayBePending) {
  KernelRun run(kernel_text(2, R"(
    .shared .align 4 .b8 s[8];
    ld.param.u64 %rd1, [p0];
    ld.param.u64 %rd2, [p1];
    mov.u32 %r2, s;
    st.shared.u32 [%r2], 7;
    st.shared.u32 [%r2+4], 7;
    cp.async.ca.shared.global [%r2], [%rd1], 4;
    cp.async.commit_group;
    cp.async.ca.shared.global [%r2+4], [%rd1], 4;
    cp.async.commit_group;
    cp.async.wait_group 1;
    ld.shared.u32 %r4, [%r2];
    ld.shared.u32 %r5, [%r2+4];
    st.global.u32 [%rd2], %r4;
    st.global.u32 [%rd2+4], %r5;
    cp.async.wait_all;
    ld.shared.u32 %r5, [%r2+4];
    st.global.u32 [%rd2+8], %r5;
    ret;)"));
  const std::uint64_t in = run.array<std::uint32_t>({9});
  const std::uint64_t out = run.array<std::uint32_t>({0, 0, 0});
  run.run("k", {}, {}, {in, out});
  EXPECT_THAT(run.read<std::uint32_t>(out, 3), ElementsAre(9, 7, 9));
}

// Lane 0 copies, and an mbarrier that expects two arrivals tracks the copy. Lanes of another warp wait for the phase of
// the mbarrier. If lane 0 only arrived, this would not show that the copy is complete. So the copy itself must arrive.
std::string tracked(const std::string& tracks, int arrivals) {
  return R"(
    .shared .align 8 .b8 b[8];
    .shared .align 4 .b8 s[4];
    ld.param.u64 %rd1, [p0];
    ld.param.u64 %rd2, [p1];
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, s;
    mov.u32 %r3, b;
    setp.ne.u32 %p1, %r1, 0;
    @%p1 bra $ready;
    st.shared.u32 [%r2], 7;
    mbarrier.init.shared.b64 [%r3], )" +
         std::to_string(arrivals) + R"(;
  $ready:
    bar.sync 0;
    setp.ge.u32 %p2, %r1, 32;
    @%p2 bra $wait;
    @%p1 bra $end;
    cp.async.ca.shared.global [%r2], [%rd1], 4;
)" + tracks +
         R"(
    bra $end;
  $wait:
    mbarrier.try_wait.parity.shared.b64 %p3, [%r3], 0;
    @!%p3 bra $wait;
    ld.shared.u32 %r4, [%r2];
    setp.ne.u32 %p4, %r1, 32;
    @%p4 bra $end;
    st.global.u32 [%rd2], %r4;
  $end:
    ret;)";
}

TEST(Copies, APhaseWaitsForTheCopiesThatItsMbarrierTracks) {
  const std::string counted = tracked("cp.async.mbarrier.arrive.noinc.shared.b64 [%r3];", 1);
  const std::string added =
      tracked("cp.async.mbarrier.arrive.shared.b64 [%r3];\nmbarrier.arrive.shared.b64 _, [%r3];", 1);
  for (const std::string& body : {counted, added}) {
    for (const ScheduleKind kind : {ScheduleKind::RoundRobin, ScheduleKind::Random, ScheduleKind::Pct}) {
      for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        KernelRun run(kernel_text(2, body));
        run.device.options().schedule.kind = kind;
        run.device.options().schedule.seed = seed;
        run.device.options().step_budget = 1'000'000;
        const std::uint64_t in = run.array<std::uint32_t>({9});
        const std::uint64_t out = run.array<std::uint32_t>({0});
        run.run("k", {}, {64, 1, 1}, {in, out});
        EXPECT_THAT(run.read<std::uint32_t>(out, 1), ElementsAre(9));
      }
    }
  }
}

}  // namespace
}  // namespace ambit::virtual_gpu
