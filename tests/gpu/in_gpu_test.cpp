// Tests race detectors that run inside the kernel, on a GPU. The tests are skipped if there is no GPU.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <tuple>

#include "detector/detector.h"
#include "parser/parse.h"
#include "runner/cuda/emit/in_gpu.h"
#include "runner/cuda/launch/reconstruct.h"
#include "runner/sim/ldetector.h"
#include "runner/sim/trace_maker.h"
#include "tests/gpu/on_gpu.h"
#include "tests/support/files.h"
#include "tests/support/replay.h"

namespace ambit::cuda {
namespace {

namespace fs = std::filesystem;

/// The source places of two accesses, in either order, and the location.
using Pair = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;

Pair pair_of(const RaceReport& race) {
  return {std::min(race.first.site, race.second.site), std::max(race.first.site, race.second.site), race.location};
}

class InGpu : public OnGpu {
 protected:
  void SetUp() override {
    OnGpu::SetUp();
    campaign_.options.seconds = 0.05;
  }

  std::set<Pair> found(std::size_t test, std::size_t detector) const {
    const sim::TraceMaker traces(*campaign_.tests[test]);
    std::set<Pair> pairs;
    for (const auto& [race, runs] : ends_[test].report.in_gpu[detector].races) {
      pairs.insert(pair_of(unpack_race(race, traces.tables())));
    }
    return pairs;
  }

  /// Returns the races that the trace detector reports on the recorded runs.
  std::set<Pair> replayed(std::size_t test, const std::string& detector) const {
    std::set<Pair> pairs;
    auto reconstructor = Reconstructor::create(campaign_.tests[test]);
    for (const auto& [recording, runs] : ends_[test].report.recordings) {
      const auto trace = reconstructor.value()->trace_of(recording).trace;
      if (!trace) continue;
      MemoryTraceReader reader(*trace);
      for (const RaceReport& race : test::shown(reader, detector)->races()) pairs.insert(pair_of(race));
    }
    return pairs;
  }
};

// Two blocks race by exchanges of block scope, as in ScoR's race_interblock_blkatom. Every run consists of these two
// exchanges, so every detector that considers scopes must find the race in every run.
TEST_F(InGpu, EveryRunOfARaceWithoutASchedule) {
  campaign_.tests = {
      parse("{ global int x = 0; }\nP0 @ block 0 { atomicExch_block(&x, 1); }\n"
            "P1 @ block 1 { atomicExch_block(&x, 2); }\nexists (x == 1)\n")};
  campaign_.options.in_gpu = {"scord", "iguard"};
  if (!run()) GTEST_SKIP() << reason_;
  ASSERT_EQ(ends_[0].kind, TestEnd::Kind::Finished) << ends_[0].message;
  for (const InGpuReport& report : ends_[0].report.in_gpu) {
    EXPECT_GT(report.instances, 100000U) << report.detector;
    EXPECT_EQ(report.racy, report.instances) << report.detector;
    EXPECT_EQ(report.without_verdict, 0U) << report.detector;
    EXPECT_EQ(report.unplaced, 0U) << report.detector;
    std::uint64_t counted = 0;
    for (const auto& [race, runs] : report.races) counted += runs;
    EXPECT_EQ(counted, report.instances) << report.detector;  // one pair per run
  }
}

// While one thread holds a lock, other threads poll. The detector serves threads in order of arrival, so each run ends.
TEST_F(InGpu, PollingStarvesNoThread) {
  const auto section = [](int value) {
    return "while (atomicCAS(&l, 0, 1) != 0) {} __threadfence(); x = " + std::to_string(value) +
           "; __threadfence(); atomicExch(&l, 0);";
  };
  campaign_.tests = {parse("{ volatile global int x = 0; global int l = 0; }\nP0 @ block 0 { " + section(1) +
                           " }\nP1 @ block 1 { " + section(2) + " }\nexists (x == 1)\n")};
  campaign_.options.in_gpu = {"haccrg", "scord", "iguard"};
  if (!run()) GTEST_SKIP() << reason_;
  ASSERT_EQ(ends_[0].kind, TestEnd::Kind::Finished) << ends_[0].message;
  for (const InGpuReport& report : ends_[0].report.in_gpu) {
    EXPECT_EQ(report.racy, 0U) << report.detector;
    EXPECT_EQ(report.without_verdict, 0U) << report.detector;
  }
}

// A barrier orders P0's write before P1's read, because the write precedes the barrier and the read follows it. Without
// the barrier, the two accesses race.
TEST_F(InGpu, BarriersOrder) {
  const auto with = [](const std::string& barrier) {
    return parse("{ global int x = 0; }\nP0 @ block 0 { x = 1; " + barrier + " }\nP1 @ block 0 { " + barrier +
                 " int r0 = x; }\nexists (P1:r0 == 1)\n");
  };
  campaign_.tests = {with("__syncthreads();"), with("")};
  campaign_.options.in_gpu = {"haccrg", "scord", "iguard"};
  if (!run()) GTEST_SKIP() << reason_;
  for (std::size_t d = 0; d < 3; ++d) {
    EXPECT_EQ(ends_[0].report.in_gpu[d].racy, 0U) << campaign_.options.in_gpu[d];
    EXPECT_GT(ends_[1].report.in_gpu[d].racy, 0U) << campaign_.options.in_gpu[d];
  }
}

// The final value of `o` shows which store came last. Some runs satisfy the filter, and other runs violate it.
TEST_F(InGpu, RunsOutsideTheFilterDoNotCount) {
  campaign_.tests = {
      parse("{ global int x = 0, o = 0; }\nP0 @ block 0 { x = 1; store(o, 1, relaxed, device); }\n"
            "P1 @ block 1 { store(o, 2, relaxed, device); x = 2; }\nfilter (o == 2)\nexists (x == 1)\n")};
  campaign_.options.in_gpu = {"scord"};
  if (!run()) GTEST_SKIP() << reason_;
  ASSERT_EQ(ends_[0].kind, TestEnd::Kind::Finished) << ends_[0].message;
  const InGpuReport& report = ends_[0].report.in_gpu[0];
  EXPECT_GT(report.left_out, 0U);
  EXPECT_LT(report.left_out, report.instances);
  EXPECT_EQ(report.racy, report.instances - report.left_out);  // nothing orders the two stores to x
}

// A thread arrives at a barrier in one place and waits in another place. scord has no rule for a separate arrival and
// wait, so it does not check the runs. The runs are still counted and recorded.
TEST_F(InGpu, UnsupportedTestRunsWithoutTheDetector) {
  const fs::path file = test::project() / "litmus/ptx/barriers/cluster+arrive-wait.litmus";
  campaign_.tests = {parser::parse_program(parser::read_source(file.string()).value()).value()};
  campaign_.options.in_gpu = {"scord"};
  campaign_.options.record = 1000;
  if (!run()) GTEST_SKIP() << reason_;
  ASSERT_EQ(ends_[0].kind, TestEnd::Kind::Finished) << ends_[0].message;
  const RunReport& report = ends_[0].report;
  EXPECT_GT(report.histogram.runs(), 1000U);
  EXPECT_GE(report.recorded, 1000U);
  ASSERT_EQ(report.in_gpu.size(), 1U);
  EXPECT_EQ(report.in_gpu[0].not_run, make_in_gpu_test(*campaign_.tests[0]).errors().front().message);
  EXPECT_EQ(report.in_gpu[0].instances, 0U);
}

// Block 0 passes a message through a flag to block 1. Weak outcomes do not occur, so for every recorded run some order
// of the accesses explains the values. All runs are counted, and each thread's accesses are in program order.
TEST_F(InGpu, RecordedRunsAreAllCounted) {
  campaign_.tests = {
      parse("{ global int x = 0, f = 0; }\nP0 @ block 0 { x = 1; store(f, 1, release, device); }\n"
            "P1 @ block 1 { int r0 = load(f, acquire, device); int r1 = x; }\nexists (P1:r0 == 1)\n")};
  campaign_.options.record = 200000;
  if (!run()) GTEST_SKIP() << reason_;
  ASSERT_EQ(ends_[0].kind, TestEnd::Kind::Finished) << ends_[0].message;
  const RunReport& report = ends_[0].report;
  std::uint64_t counted = report.unrecorded;
  auto reconstructor = Reconstructor::create(campaign_.tests[0]);
  for (const auto& [recording, runs] : report.recordings) {
    counted += runs;
    ASSERT_EQ(recording.threads.size(), 2U);
    ASSERT_EQ(recording.threads[0].size(), 2U);
    EXPECT_LT(recording.threads[0][0].instruction, recording.threads[0][1].instruction);
    EXPECT_EQ(recording.order.size(), recording.threads[0].size() + recording.threads[1].size());
    EXPECT_TRUE(reconstructor.value()->trace_of(recording).trace);
  }
  EXPECT_GE(report.recorded, 200000U);
  EXPECT_EQ(counted, report.recorded);
  EXPECT_EQ(report.unrecorded, 0U);
  EXPECT_GE(report.recordings.size(), 2U);  // P1 sees the flag in some runs, but not in all
}

// While P1 waits, P0 repeats one read 500 times. A recording cannot store 500 accesses.
TEST_F(InGpu, ASpinOfAnyLengthIsRecordedAsOneWait) {
  campaign_.tests = {
      parse("{ global int x = 0, f = 0; }\n"
            "P0 @ block 0 { for (int i = 0; i < 500; i++) { int r = load(x, relaxed, device); } "
            "store(f, 1, release, device); }\n"
            "P1 @ block 1 { while (load(f, acquire, device) == 0) { } }\nexists (f == 1)\n")};
  campaign_.options.record = 100000;
  if (!run()) GTEST_SKIP() << reason_;
  ASSERT_EQ(ends_[0].kind, TestEnd::Kind::Finished) << ends_[0].message;
  const RunReport& report = ends_[0].report;
  EXPECT_GE(report.recorded, 100000U);
  EXPECT_EQ(report.unrecorded, 0U);
  auto reconstructor = Reconstructor::create(campaign_.tests[0]);
  for (const auto& [recording, runs] : report.recordings) {
    EXPECT_EQ(recording.threads[0].size(), 2U);
    EXPECT_LE(recording.threads[1].size(), 2U);
    EXPECT_TRUE(reconstructor.value()->trace_of(recording).trace);
  }
}

/// Returns, for example, "P2 writes at jacobi.litmus:12:3".
std::string side_of(const RaceAccess& access, const TraceTables& tables) {
  return tables.threads()[access.thread].name + (access.is_write ? " writes at " : " reads at ") +
         tables.sites()[access.site];
}
std::string text_of(const RaceReport& race, const TraceTables& tables) {
  return side_of(race.first, tables) + ", " + side_of(race.second, tables) + ", " +
         tables.locations()[race.location].name + ", " + std::string(to_string(race.kind));
}

// ldetector runs the tests itself. Each test must have the same result in all runs and in the simulator. If ldetector
// refuses a test in the kernel, it must refuse the test in the simulator for the same reason. For three tests,
// docs/detectors/ldetector.md gives the results.
TEST_F(InGpu, LDetectorSaysTheSameAsInTheSimulator) {
  for (const char* folder : {"litmus/barrier", "litmus/scor"}) {
    for (const fs::path& file : test::files_in(test::project() / folder, {".litmus"})) {
      campaign_.tests.push_back(parser::parse_program(parser::read_source(file.string()).value()).value());
    }
  }
  campaign_.options.in_gpu = {"ldetector"};
  if (!run()) GTEST_SKIP() << reason_;
  std::set<std::string> racy;
  std::size_t refused = 0;
  for (std::size_t test = 0; test < ends_.size(); ++test) {
    const Program& program = *campaign_.tests[test];
    ASSERT_EQ(ends_[test].kind, TestEnd::Kind::Finished) << ends_[test].message;
    const InGpuReport& report = ends_[test].report.in_gpu.at(0);
    Context context;
    const auto reference = sim::ldetector(program, {}, context);
    refused += reference.ok() ? 0 : 1;
    EXPECT_EQ(report.not_run, reference.ok() ? "" : reference.errors().front().message) << program.name;
    if (!reference.ok()) continue;
    const sim::TraceMaker traces(program);
    std::set<std::string> expected;
    for (const RaceReport& race : reference.value().races) expected.insert(text_of(race, reference.value().tables));
    std::set<std::string> found;
    for (const auto& [race, runs] : report.races) {
      found.insert(text_of(unpack_race(race, traces.tables()), traces.tables()));
      EXPECT_EQ(runs, report.instances) << program.name;
    }
    EXPECT_EQ(found, expected) << program.name;
    EXPECT_GT(report.instances, 10000U) << program.name;
    EXPECT_EQ(report.racy, expected.empty() ? 0 : report.instances) << program.name;
    EXPECT_EQ(report.without_verdict, 0U) << program.name;
    if (!expected.empty()) racy.insert(program.name);
  }
  EXPECT_EQ(racy, (std::set<std::string>{"em-shared-sum", "jacobi-without-barrier", "scan-without-second-barrier"}));
  EXPECT_GE(refused, 32U);  // all tests of ScoR
}

// For tests of ScoR, the detector in the kernel and the trace detector must report the same pairs of places. The trace
// detector reads recordings of the same test.
TEST_F(InGpu, SamePairsAsReplayedOnScor) {
  for (const fs::path& file : test::files_in(test::project() / "litmus/scor", {".litmus"})) {
    campaign_.tests.push_back(parser::parse_program(parser::read_source(file.string()).value()).value());
  }
  campaign_.options.in_gpu = {"haccrg", "scord", "iguard"};
  campaign_.options.record = 200000;
  if (!run()) GTEST_SKIP() << reason_;
  ASSERT_EQ(ends_.size(), 32U);
  for (std::size_t test = 0; test < ends_.size(); ++test) {
    ASSERT_EQ(ends_[test].kind, TestEnd::Kind::Finished) << ends_[test].message;
    for (std::size_t d = 0; d < 3; ++d) {
      const std::string& name = campaign_.options.in_gpu[d];
      EXPECT_EQ(found(test, d), replayed(test, name)) << name << " on " << campaign_.tests[test]->name;
    }
  }
}

}  // namespace
}  // namespace ambit::cuda
