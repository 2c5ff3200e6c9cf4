// Tests of the runner on a GPU; skipped if there is no GPU.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/wide_value.h"
#include "parser/parse.h"
#include "runner/cuda/launch/disassembler.h"
#include "runner/cuda/launch/driver.h"
#include "runner/cuda/launch/nvrtc.h"
#include "runner/cuda/worker/exploration.h"
#include "tests/gpu/on_gpu.h"

namespace ambit::cuda {
namespace {

using testing::HasSubstr;

const char* const kMessagePassing =
    "{ global int x = 0, y = 0; }\n"
    "P0 @ block 0 { store(x, 1, relaxed, device); store(y, 1, relaxed, device); }\n"
    "P1 @ block 1 { int r0 = load(y, relaxed, device); int r1 = load(x, relaxed, device); }\n"
    "exists (P1:r0 == 1 && P1:r1 == 0)\n";

class GpuRunner : public OnGpu {
 protected:
  std::uint64_t count(std::size_t test, const std::vector<Value>& outcome) const {
    const auto& outcomes = ends_[test].report.histogram.outcomes;
    const auto found = outcomes.find(outcome);
    return found == outcomes.end() ? 0 : found->second;
  }

  void run_on_two_gpus() {
    campaign_.tests = {
        parse("{ global int x = 0, y = 0; }\n"
              "P0 @ gpu 0 block 0 { store(x, 1, relaxed, system); store(y, 1, release, system); }\n"
              "P1 @ gpu 1 block 1 { int r0 = load(y, acquire, system); int r1 = load(x, relaxed, system); }\n"
              "exists (P1:r0 == 1 && P1:r1 == 0)\n"),
        parse("{ global int x = 3; }\n"
              "P0 @ gpu 0 block 0 { atomicAdd_system(&x, 1); }\n"
              "P1 @ gpu 0 block 1 { atomicAdd_system(&x, 10); }\n"
              "P2 @ gpu 1 block 2 { atomicAdd_system(&x, 100); }\nexists (x == 114)\n")};
    campaign_.options.seconds = 0.8;
    campaign_.options.alternate = true;
    if (!run()) GTEST_SKIP() << reason_;
    ASSERT_EQ(ends_.size(), 2U);
    if (campaign_.devices.empty() && ends_.front().message.find("only one is available") != std::string::npos) {
      GTEST_SKIP() << ends_.front().message;
    }
    for (const TestEnd& end : ends_) {
      ASSERT_EQ(end.kind, TestEnd::Kind::Finished) << end.message;
      EXPECT_EQ(end.report.histogram.runs(), end.report.instances);
    }
    EXPECT_EQ(count(0, {1, 0}), 0U);
    EXPECT_GT(count(0, {1, 1}) + count(0, {0, 0}), 0U);
    EXPECT_EQ(count(1, {114}), ends_[1].report.instances);
  }
};

TEST_F(GpuRunner, EveryInstanceHasAnOutcome) {
  campaign_.tests = {parse(kMessagePassing)};
  if (!run()) GTEST_SKIP() << reason_;
  ASSERT_EQ(ends_.size(), 1U);
  ASSERT_EQ(ends_[0].kind, TestEnd::Kind::Finished) << ends_[0].message;
  EXPECT_GT(ends_[0].report.instances, 1000000U);
  EXPECT_EQ(ends_[0].report.histogram.runs(), ends_[0].report.instances);
  for (const auto& [outcome, runs] : ends_[0].report.histogram.outcomes) {
    for (const Value value : outcome) EXPECT_TRUE(value == 0 || value == 1);
  }
}

// A thread that waits for the other block in a spin loop ends, because all blocks of an instance run at the same time.
TEST_F(GpuRunner, ReleaseAndAcquireHandOver) {
  campaign_.tests = {
      parse("{ global int x = 0, y = 0; }\nP0 @ block 0 { x = 5; store(y, 1, release, device); }\n"
            "P1 @ block 1 { while (load(y, acquire, device) == 0) {} int r0 = x; }\nforall (P1:r0 == 5)\n")};
  if (!run()) GTEST_SKIP() << reason_;
  ASSERT_EQ(ends_[0].kind, TestEnd::Kind::Finished) << ends_[0].message;
  EXPECT_GT(count(0, {5}), 0U);
  EXPECT_EQ(ends_[0].report.histogram.outcomes.size(), 1U);
}

// The test has a barrier, shared memory, and values of all kinds. Every instance of the test has the same outcome.
TEST_F(GpuRunner, SharedMemoryAndBarriers) {
  campaign_.tests = {
      parse("{ shared int s[2] = {3, 4}; global unsigned char b = 200; global long long w = 5000000000; }\n"
            "P0 @ block 0 { s[0] = 7; __syncthreads(); int r0 = s[1]; b = b + 100; }\n"
            "P1 @ block 0 { s[1] = 9; __syncthreads(); int r0 = s[0]; w = w * 2; }\n"
            "forall (P0:r0 == 9 && P1:r0 == 7 && b == 44 && w == 10000000000)\n")};
  if (!run()) GTEST_SKIP() << reason_;
  ASSERT_EQ(ends_[0].kind, TestEnd::Kind::Finished) << ends_[0].message;
  ASSERT_EQ(ends_[0].report.histogram.outcomes.size(), 1U);
  EXPECT_NE(evaluate(*campaign_.tests[0]->condition.proposition, ends_[0].report.histogram.outcomes.begin()->first), 0);
}

// At a barrier, a thread must meet another thread of the same instance of the test, never a thread of another instance.
TEST_F(GpuRunner, ABarrierThatTwoOfFourComplete) {
  campaign_.tests = {
      parse("{ shared int s[4] = {0, 0, 0, 0}; }\n"
            "P0 @ block 0 { s[0] = 1; __barrier(1, 2); int r0 = s[1] + s[2] + s[3]; }\n"
            "P1 @ block 0 { s[1] = 1; __barrier(1, 2); int r0 = s[0] + s[2] + s[3]; }\n"
            "P2 @ block 0 { s[2] = 1; __barrier(1, 2); int r0 = s[0] + s[1] + s[3]; }\n"
            "P3 @ block 0 { s[3] = 1; __barrier(1, 2); int r0 = s[0] + s[1] + s[2]; }\n"
            "forall (P0:r0 >= 1 && P1:r0 >= 1 && P2:r0 >= 1 && P3:r0 >= 1)\n")};
  if (!run()) GTEST_SKIP() << reason_;
  ASSERT_EQ(ends_[0].kind, TestEnd::Kind::Finished) << ends_[0].message;
  EXPECT_GT(ends_[0].report.histogram.runs(), 1000U);
  for (const auto& [outcome, runs] : ends_[0].report.histogram.outcomes) {
    EXPECT_NE(evaluate(*campaign_.tests[0]->condition.proposition, outcome), 0) << runs;
  }
}

TEST_F(GpuRunner, ALoopWithoutAnEndIsCountedApart) {
  campaign_.tests = {parse(
      "{ global int x = 0; }\nP0 @ block 0 { while (load(x, relaxed, device) == 0) {} }\nP1 @ block 1 { int r0 = x; }\n"
      "exists (P1:r0 == 1)\n")};
  campaign_.options.max_steps = 100;
  if (!run()) GTEST_SKIP() << reason_;
  ASSERT_EQ(ends_[0].kind, TestEnd::Kind::Finished) << ends_[0].message;
  EXPECT_EQ(ends_[0].report.histogram.bound_hits, ends_[0].report.instances);
}

// A deadlock: each thread waits at a barrier that the other thread reaches only after its own wait.
TEST_F(GpuRunner, AHangIsAbandonedAndTheNextTestRuns) {
  campaign_.tests = {parse("{ global int x = 0; }\nP0 @ block 0 { __barrier(1); __barrier(2); x = 1; }\n"
                           "P1 @ block 0 { __barrier(2); __barrier(1); int r0 = x; }\nexists (P1:r0 == 1)\n"),
                     parse(kMessagePassing)};
  campaign_.timeout_seconds = 4;
  if (!run()) GTEST_SKIP() << reason_;
  ASSERT_EQ(ends_.size(), 2U);
  EXPECT_EQ(ends_[0].kind, TestEnd::Kind::Hang);
  EXPECT_EQ(ends_[1].kind, TestEnd::Kind::Finished) << ends_[1].message;
}

// These tests use bulk copies and mbarriers of the hardware. A thread that has waited for a copy reads the copied data.
// If a thread waits for bytes that no copy sends, the wait is counted, and the thread still reaches the next barrier.
TEST_F(GpuRunner, AsynchronousOperationsRun) {
  for (const char* file : {"31-triton-9046+control", "31-triton-9046+too-few", "14-Fuser-3438+wait"}) {
    campaign_.tests.push_back(test::program_in(std::string("litmus/async/") + file + ".litmus"));
  }
  campaign_.options.max_steps = 1000;
  if (!run()) GTEST_SKIP() << reason_;
  ASSERT_EQ(ends_.size(), 3U);
  for (const TestEnd& end : ends_) ASSERT_EQ(end.kind, TestEnd::Kind::Finished) << end.message;
  for (const std::size_t test : {0U, 2U}) {
    EXPECT_EQ(ends_[test].report.histogram.bound_hits, 0U);
    EXPECT_EQ(ends_[test].report.histogram.runs(), ends_[test].report.instances);
    for (const auto& [outcome, runs] : ends_[test].report.histogram.outcomes) {
      EXPECT_EQ(evaluate(*campaign_.tests[test]->condition.proposition, outcome), 0);
    }
  }
  EXPECT_EQ(ends_[1].report.histogram.bound_hits, ends_[1].report.instances);
}

// One device runs a test with two GPUs, so the link between GPUs has no effect. Each instance still runs once for every
// placement of its cells, and shows no outcome that `ptx` forbids.
TEST_F(GpuRunner, OneDeviceRunsTwoGpusOfATest) {
  campaign_.devices = {0, 0};
  run_on_two_gpus();
}

TEST_F(GpuRunner, TwoDevicesRunTwoGpusOfATest) { run_on_two_gpus(); }

// By default, the runner replaces the mbarriers of these tests by atomics. This test uses hardware mbarriers.
TEST_F(GpuRunner, MbarriersOfTheHardwareCountArrivals) {
  for (const char* file : {"MP+arrive+test_wait", "MP+arrive+try_wait", "MP+arrive-count", "ISA2+arrive+arrive"}) {
    campaign_.tests.push_back(test::program_in(std::string("litmus/ptx/mbarrier/") + file + ".litmus"));
  }
  campaign_.options.hardware_mbarriers = true;
  if (!run()) GTEST_SKIP() << reason_;
  for (const TestEnd& end : ends_) {
    ASSERT_EQ(end.kind, TestEnd::Kind::Finished) << end.message;
    EXPECT_EQ(end.report.histogram.runs(), end.report.instances);
  }
  for (std::size_t test = 0; test < ends_.size(); ++test) {  // ptx forbids the condition of each test
    for (const auto& [outcome, runs] : ends_[test].report.histogram.outcomes) {
      EXPECT_EQ(evaluate(*campaign_.tests[test]->condition.proposition, outcome), 0);
    }
  }
}

// Loads, stores, exchanges and compare-and-swaps of 16 bytes. No read is torn, no outcome is seen that `ptx` forbids,
// and the weak outcomes of message passing and store buffering are seen.
TEST_F(GpuRunner, SixteenBytesAreOneAccess) {
  const std::vector<std::string> files = {
      "MP+rlx",    "SB+rlx",     "MP+rel+acq",     "MP+exch.release+cas.acquire", "SB+fence.sc",    "CoRR+rlx",
      "whole+rlx", "whole+weak", "exch+exch-swap", "cas+cas-one-succeeds",        "typed-accesses", "shared-memory"};
  for (const std::string& file : files) {
    campaign_.tests.push_back(test::program_in("litmus/ptx/wide/" + file + "+b128.litmus"));
  }
  if (!run()) GTEST_SKIP() << reason_;
  ASSERT_EQ(ends_.size(), files.size());
  for (std::size_t test = 0; test < files.size(); ++test) {
    const TestEnd& end = ends_[test];
    ASSERT_EQ(end.kind, TestEnd::Kind::Finished) << files[test] << ": " << end.message;
    EXPECT_EQ(end.report.histogram.runs(), end.report.instances) << files[test];
    const Condition& condition = campaign_.tests[test]->condition;
    std::uint64_t holding = 0;
    for (const auto& [outcome, runs] : end.report.histogram.outcomes) {
      for (const Value value : outcome) EXPECT_FALSE(is_torn(value)) << files[test];
      if (evaluate(*condition.proposition, outcome) != 0) holding += runs;
    }
    const bool is_weak = files[test] == "MP+rlx" || files[test] == "SB+rlx";
    if (is_weak) {
      EXPECT_GT(holding, 0U) << files[test];
    } else if (condition.quantifier == Quantifier::Exists) {
      EXPECT_EQ(holding, 0U) << files[test];
    } else {
      EXPECT_EQ(holding, end.report.instances) << files[test];
    }
  }
}

TEST_F(GpuRunner, TooMuchMemoryMeansFewerInstances) {
  campaign_.tests = {
      parse("{ global int x[256]; }\nP0 @ block 0 { x[255] = 1; }\nP1 @ block 1 { int r0 = x[255]; }\nexists (P1:r0 "
            "== 1)\n")};
  campaign_.options.stress.stride = 4096;
  campaign_.options.rounds = 1;
  if (!run()) GTEST_SKIP() << reason_;
  ASSERT_EQ(ends_[0].kind, TestEnd::Kind::Finished) << ends_[0].message;
  ASSERT_FALSE(ends_[0].report.notes.empty());
  EXPECT_THAT(ends_[0].report.notes[0], HasSubstr("not enough device memory"));
}

// Each thread of an instance runs once, for every placement of the cells and of the other threads. Increments add up in
// every instance, both from two blocks and from two threads of one block. Instances never share shared memory.
TEST_F(GpuRunner, EveryPlacementRunsEachThreadOnce) {
  campaign_.tests = {
      parse("{ global int x = 3; global unsigned long long w = 0; shared int s = 5; }\n"
            "P0 @ block 0 { atomicAdd(&x, 1); }\n"
            "P1 @ block 1 { atomicAdd(&x, 10); atomicAdd(&w, 1); atomicAdd(&s, 1); }\n"
            "P2 @ block 1 { atomicAdd(&x, 100); atomicAdd(&w, 1); atomicAdd(&s, 1); }\n"
            "forall (x == 114 && w == 2 && b1:s == 7)\n"),
      parse("{ global int x = 0; }\nP0 @ block 0 { atomicAdd(&x, 1); }\nP1 @ block 1 { atomicAdd(&x, 10); }\n"
            "P2 @ block 2 { atomicAdd(&x, 100); }\nforall (x == 111)\n")};
  for (const std::uint32_t block_threads : {64U, 512U}) {
    for (const std::uint32_t scattered : {0U, 50U, 100U}) {
      for (const std::uint32_t both : {0U, 1U}) {
        campaign_.options.sets.push_back({.block_threads = block_threads,
                                          .batch = 3,
                                          .layout = both,
                                          .permute = both,
                                          .scatter_percent = scattered,
                                          .cold = 1 - both});
        campaign_.options.sets.push_back(campaign_.options.sets.back());
        campaign_.options.sets.back().cold = both;
      }
    }
  }
  campaign_.options.seconds = 0.3;
  if (!run()) GTEST_SKIP() << reason_;
  for (const TestEnd& end : ends_) {
    ASSERT_EQ(end.kind, TestEnd::Kind::Finished) << end.message;
    EXPECT_EQ(end.report.histogram.outcomes.size(), 1U);
    EXPECT_EQ(end.report.histogram.runs(), end.report.instances);
  }
  EXPECT_EQ(ends_[0].report.histogram.outcomes.count({114, 2, 7}), 1U);
  EXPECT_EQ(ends_[1].report.histogram.outcomes.count({111}), 1U);
}

// A run with changing parameters takes the requested total time (within 5 %) in a single launch.
TEST_F(GpuRunner, VaryingParametersKeepToTheirTime) {
  campaign_.tests = {parse(kMessagePassing)};
  campaign_.options.seconds = 2;
  campaign_.options.vary = true;
  if (!run()) GTEST_SKIP() << reason_;
  ASSERT_EQ(ends_[0].kind, TestEnd::Kind::Finished) << ends_[0].message;
  EXPECT_LT(ends_[0].report.kernel_seconds, 2.1);
}

TEST_F(GpuRunner, ABudgetIsSpentOnMissingOutcomes) {
  campaign_.tests = {parse(kMessagePassing), parse(kMessagePassing)};
  Exploration exploration;
  exploration.budget = 3;
  exploration.tests = {{.shape = "", .missing = {{0, 0}, {1, 0}}}, {.shape = "", .missing = {{7, 7}}}};
  std::array<int, 2> trials{};
  ExplorationEvents events;
  events.on_end = [&](std::size_t test, const TestEnd& end, double) {
    EXPECT_EQ(end.kind, TestEnd::Kind::Finished) << end.message;
    EXPECT_EQ(end.report.histogram.runs(), end.report.instances);
    ++trials[test];
  };
  const auto began = std::chrono::steady_clock::now();
  const Result<bool> ran = run_exploration(campaign_, exploration, events, {});
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
  if (!ran.ok() && !std::filesystem::exists("/dev/nvidiactl")) GTEST_SKIP() << render(ran.errors());
  ASSERT_TRUE(ran.ok()) << render(ran.errors());
  EXPECT_EQ(trials[0], 1);  // Both outcomes were seen in the first pass.
  EXPECT_GT(trials[1], 3);  // The outcome (7, 7) does not exist.
  EXPECT_GT(took.count(), 2.9);
}

TEST_F(GpuRunner, TuningFindsParametersThatShowTheOutcome) {
  campaign_.tests = {parse(kMessagePassing)};
  campaign_.options.tune_seconds = 3;
  if (!run()) GTEST_SKIP() << reason_;
  ASSERT_EQ(ends_[0].kind, TestEnd::Kind::Finished) << ends_[0].message;
  ASSERT_TRUE(ends_[0].report.tuned);
  EXPECT_GT(ends_[0].report.tuned_rate, 0);
}

// The user interrupts the first test while it runs. Its counts must be consistent, and the second test must not start.
TEST_F(GpuRunner, AnInterruptLosesNoCountAndInventsNone) {
  campaign_.tests = {parse(kMessagePassing), parse(kMessagePassing)};
  campaign_.options.seconds = 60;
  std::atomic<bool> interrupted = false;
  CampaignEvents events;
  events.on_progress = [&](std::size_t, const RunReport& report) { interrupted = report.launches > 3; };
  Context context;
  context.set_cancellation(&interrupted);
  if (!run(events, context)) GTEST_SKIP() << reason_;
  ASSERT_EQ(ends_.size(), 1U);
  EXPECT_EQ(ends_[0].kind, TestEnd::Kind::Interrupted);
  EXPECT_GT(ends_[0].report.launches, 3U);
  EXPECT_EQ(ends_[0].report.histogram.runs(), ends_[0].report.instances);
}

// The runner compiles the kernels of later tests while the kernels of earlier tests run.
TEST_F(GpuRunner, TheTestsOfACampaignAllRun) {
  for (const char* const store : {"x = 1;", "store(x, 1, relaxed, device);", "store(x, 1, release, block);"}) {
    campaign_.tests.push_back(parse("{ global int x = 0; }\nP0 @ block 0 { " + std::string(store) +
                                    " }\nP1 @ block 1 { int r0 = x; }\nexists (P1:r0 == 1)\n"));
  }
  campaign_.options.seconds = 0.05;
  campaign_.options.record = 100;
  if (!run()) GTEST_SKIP() << reason_;
  ASSERT_EQ(ends_.size(), 3U);
  for (const TestEnd& end : ends_) {
    EXPECT_EQ(end.kind, TestEnd::Kind::Finished) << end.message;
    EXPECT_TRUE(end.report.compiled);
    EXPECT_GE(end.report.recorded, 100U);
  }
}

// The compiler must not remove a load, even if its result is unused, or if it repeats an earlier store or load.
TEST_F(GpuRunner, MachineCodeIsCheckedBeforeItRuns) {
  if (const auto found = Disassembler::find(); !found.ok()) GTEST_SKIP() << render(found.errors());
  campaign_.checks_machine_code = true;
  campaign_.tests = {
      parse(kMessagePassing),
      parse("{ global int x = 0; }\nP0 @ block 0 { x = 1; int r0 = x; x = 2; int r1 = x; int r2 = x; int r3 = x; }\n"
            "P1 @ block 1 { fence(seq_cst, device); x = 3; fence(release, device); }\nexists (P0:r1 == 3)\n")};
  if (!run()) GTEST_SKIP() << reason_;
  ASSERT_EQ(ends_.size(), 2U);
  EXPECT_EQ(ends_[0].kind, TestEnd::Kind::Finished) << ends_[0].message;
  EXPECT_EQ(ends_[1].kind, TestEnd::Kind::Finished) << ends_[1].message;
}

/// Runs a kernel whose source is in this test. Returns whether the driver reports that the kernel failed, in this call
/// and in later calls.
bool reports_a_fault(const std::string& source) {
  const auto driver = Driver::open();
  const auto nvrtc = Nvrtc::open();
  if (!driver.ok() || !nvrtc.ok()) return false;
  const auto device = driver.value()->use(0);
  if (!device.ok()) return false;
  const auto code = nvrtc.value()->compile(source, "fault.cu", device.value().arch);
  if (!code.ok()) return false;
  const auto function = driver.value()->load(code.value().cubin, "fault");
  if (!function.ok()) return false;
  const auto ran = driver.value()->launch(function.value(), {1, 32, 1, 0}, nullptr);
  return !ran.ok() && !driver.value()->allocate(16).ok();
}

TEST_F(GpuRunner, AKernelsFaultIsAnError) {
  campaign_.tests = {parse(kMessagePassing)};
  campaign_.options.rounds = 1;
  if (!run()) GTEST_SKIP() << reason_;
  const char* const kFaults[] = {"__trap();", "*reinterpret_cast<int*>(16) = 1;"};
  for (const char* const fault : kFaults) {
    const std::string source = std::string("extern \"C\" __global__ void fault() { ") + fault + " }\n";
    EXPECT_EXIT(_exit(reports_a_fault(source) ? 0 : 1), testing::ExitedWithCode(0), "") << fault;
  }
}

// A block cannot have this number of threads.
TEST_F(GpuRunner, ALaunchThatTheDriverRefusesIsAnError) {
  campaign_.tests = {parse(kMessagePassing)};
  campaign_.options.rounds = 1;
  if (!run()) GTEST_SKIP() << reason_;
  EXPECT_EXIT(
      {
        const auto driver = Driver::open();
        const auto device = driver.value()->use(0);
        const auto code =
            Nvrtc::open().value()->compile("extern \"C\" __global__ void f() {}\n", "f.cu", device.value().arch);
        const auto function = driver.value()->load(code.value().cubin, "f");
        const auto ran = driver.value()->launch(function.value(), {1, 4096, 1, 0}, nullptr);
        _exit(!ran.ok() && !render(ran.errors()).empty() ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace ambit::cuda
