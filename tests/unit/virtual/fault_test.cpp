#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/virtual/kernel_run.h"

namespace ambit::virtual_gpu {
namespace {

using testing::HasSubstr;

/// PTX code that stores the number of each thread at p0 + 4 * thread.
const char* const kFaultyStore = R"(
    ld.param.u64 %rd1, [p0];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd2, %r1, 4;
    add.s64 %rd3, %rd1, %rd2;
    st.global.u32 [%rd3], %r1;
    ret;)";
/// PTX code that copies p0[thread] to p1[thread].
const char* const kCopy = R"(
    ld.param.u64 %rd1, [p0];
    ld.param.u64 %rd4, [p1];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd2, %r1, 4;
    add.s64 %rd3, %rd1, %rd2;
    add.s64 %rd5, %rd4, %rd2;
    ld.global.u32 %r2, [%rd3];
    st.global.u32 [%rd5], %r2;
    ret;)";

Finding last_of(KernelRun& run, const std::vector<std::uint64_t>& parameters, LaunchEnd end,
                std::uint32_t threads = 32) {
  auto launched = run.launch("k", {1, 1, 1}, {threads, 1, 1}, parameters);
  EXPECT_TRUE(launched.ok());
  if (!launched.ok()) return {};
  EXPECT_EQ(launched.value().end, end) << text_of(run.device, launched.value());
  return launched.value().findings.empty() ? Finding{} : launched.value().findings.back();
}

TEST(Faults, OutOfBoundsNamesBothPlaces) {
  KernelRun run(kernel_text(1, kFaultyStore));
  const std::uint64_t address = run.device.memory().allocate(100, AllocationKind::Device, "main.cu:7");
  const Finding finding = last_of(run, {address}, LaunchEnd::IllegalAddress);
  EXPECT_EQ(finding.kind, FindingKind::OutOfBounds);
  EXPECT_EQ(finding.thread, 25U);
  EXPECT_EQ(finding.allocation, run.device.memory().allocation_count() - 1);
  EXPECT_THAT(finding.message, HasSubstr("writes 4 bytes right after allocation 0 (100 bytes, main.cu:7)"));
  EXPECT_EQ(run.device.site(finding.site).instruction, "st.global.u32");
}

TEST(Faults, UseAfterFree) {
  KernelRun run(kernel_text(1, kFaultyStore));
  const std::uint64_t address = run.device.memory().allocate(128, AllocationKind::Device, "main.cu:7");
  run.run("k", {1, 1, 1}, {32, 1, 1}, {address});
  run.device.memory().release(address, "main.cu:9");
  const Finding finding = last_of(run, {address}, LaunchEnd::IllegalAddress);
  EXPECT_EQ(finding.kind, FindingKind::UseAfterFree);
  EXPECT_THAT(finding.message, HasSubstr("freed at main.cu:9"));
}

TEST(Faults, MisalignedAndNullAndHostAddresses) {
  KernelRun run(kernel_text(1, kFaultyStore));
  EXPECT_EQ(last_of(run, {run.fresh(256) + 2}, LaunchEnd::MisalignedAddress).kind, FindingKind::Misaligned);
  EXPECT_THAT(last_of(run, {0}, LaunchEnd::IllegalAddress).message, HasSubstr("a null pointer"));
  int host = 0;
  EXPECT_EQ(
      last_of(run, {reinterpret_cast<std::uint64_t>(&host) & ~std::uint64_t{255}}, LaunchEnd::IllegalAddress).kind,
      FindingKind::NotDevice);
}

TEST(Faults, UninitialisedReadsAreReportedOnceAndDoNotEndTheLaunch) {
  KernelRun run(kernel_text(2, kCopy));
  const std::uint64_t from = run.device.memory().allocate(128, AllocationKind::Device, "main.cu:3");
  run.device.memory().set(from, 1, 64);
  const LaunchReport report = run.run("k", {1, 1, 1}, {32, 1, 1}, {from, run.fresh(128)});
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_EQ(report.findings[0].kind, FindingKind::Uninitialised);
  EXPECT_EQ(report.findings[0].count, 16U);
  EXPECT_EQ(report.findings[0].thread, 16U);
  EXPECT_THAT(report.findings[0].message, HasSubstr("at byte 64 of allocation 0 (128 bytes, main.cu:3)"));
  run.device.options().checks_initialised = false;
  EXPECT_TRUE(run.run("k", {1, 1, 1}, {32, 1, 1}, {from, run.fresh(128)}).findings.empty());
}

TEST(Faults, StoresToConstantMemory) {
  KernelRun run(kernel_text(0, R"(
    mov.u64 %rd1, table;
    st.global.u32 [%rd1], 1;
    ret;)",
                            ".const .align 4 .b8 table[8];"));
  const Finding finding = last_of(run, {}, LaunchEnd::IllegalAddress);
  EXPECT_EQ(finding.kind, FindingKind::ReadOnly);
  EXPECT_THAT(finding.message, HasSubstr("variable 'table' (8 bytes), which is constant"));
}

TEST(Faults, SharedMemoryHasBounds) {
  KernelRun run(kernel_text(0, R"(
    mov.u32 %r1, %tid.x;
    shl.b32 %r2, %r1, 2;
    mov.u32 %r3, s;
    add.u32 %r4, %r3, %r2;
    st.shared.u32 [%r4], %r1;
    ret;)",
                            ".shared .align 4 .b8 s[100];"));
  const Finding finding = last_of(run, {}, LaunchEnd::IllegalAddress);
  EXPECT_EQ(finding.thread, 25U);
  EXPECT_THAT(finding.message, HasSubstr("but the block has only 100 bytes"));
}

TEST(Faults, TrapAssertionAndBadCalls) {
  EXPECT_EQ(last_of(*std::make_unique<KernelRun>(kernel_text(0, "trap;")), {}, LaunchEnd::Trap).kind,
            FindingKind::Trap);
  KernelRun call(kernel_text(1, R"(
    ld.param.u64 %rd1, [p0];
    prototype: .callprototype _ ();
    call %rd1, (), prototype;
    ret;)"));
  EXPECT_THAT(last_of(call, {0x1234}, LaunchEnd::IllegalInstruction).message,
              HasSubstr("not the address of a function"));
}

TEST(Faults, AnUnknownInstructionRefusesItsKernelByNameAndLine) {
  KernelRun run(kernel_text(0, "\nwgmma.fence.sync.aligned;\nret;"));
  auto launched = run.launch("k", {1, 1, 1}, {1, 1, 1}, {});
  ASSERT_FALSE(launched.ok());
  EXPECT_THAT(launched.errors()[0].message, HasSubstr("'wgmma.fence.sync.aligned'"));
  EXPECT_GT(launched.errors()[0].span.line, 10U);
}

TEST(Faults, LaunchesThatAGpuRefuses) {
  KernelRun run(kernel_text(1, kFaultyStore));
  EXPECT_FALSE(run.launch("k", {0, 1, 1}, {32, 1, 1}, {0}).ok());
  EXPECT_FALSE(run.launch("k", {1, 1, 1}, {1025, 1, 1}, {0}).ok());
  EXPECT_FALSE(run.launch("k", {1, 70000, 1}, {32, 1, 1}, {0}).ok());
  EXPECT_FALSE(run.launch("k", {1, 1, 1}, {32, 1, 1}, {}).ok());
  EXPECT_FALSE(run.launch("k", {1, 1, 1}, {32, 1, 1}, {0}, 300 * 1024).ok());
  EXPECT_FALSE(run.launch("no_such_kernel", {1, 1, 1}, {32, 1, 1}, {0}).ok());
}

const char* const kForever = R"(
  $again:
    bra.uni $again;)";

TEST(Limits, StepBudgetSaysWhereThreadsAre) {
  KernelRun run(kernel_text(0, kForever));
  run.device.options().step_budget = 100'000;
  auto launched = run.launch("k", {2, 1, 1}, {64, 1, 1}, {});
  ASSERT_TRUE(launched.ok());
  EXPECT_EQ(launched.value().end, LaunchEnd::StepBudget);
  ASSERT_EQ(launched.value().unfinished.size(), 1U);
  EXPECT_EQ(launched.value().unfinished[0].threads, 128U);
  EXPECT_EQ(run.device.site(launched.value().unfinished[0].site).instruction, "bra.uni");
}

TEST(Limits, DeadlineAndInterruptEndALaunchSoon) {
  KernelRun run(kernel_text(0, kForever));
  run.context.set_timeout(std::chrono::milliseconds(50));
  const auto begin = std::chrono::steady_clock::now();
  auto launched = run.launch("k", {100, 1, 1}, {1024, 1, 1}, {});
  EXPECT_EQ(launched.value().end, LaunchEnd::Timeout);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(550));
  std::atomic<bool> stop{true};
  run.context = Context();
  run.context.set_cancellation(&stop);
  EXPECT_EQ(run.launch("k", {100, 1, 1}, {1024, 1, 1}, {}).value().end, LaunchEnd::Interrupted);
}

}  // namespace
}  // namespace ambit::virtual_gpu
