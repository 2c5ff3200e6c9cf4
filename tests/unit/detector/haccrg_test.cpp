#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "core/trace.h"
#include "detector/detector.h"
#include "kernels/detectors/haccrg_rules.h"
#include "tests/support/replay.h"
#include "tests/unit/detector/random_trace.h"
#include "tests/unit/detector/replayed.h"

namespace ambit::detector {
namespace {

using Races = std::vector<std::string>;
using Options = std::map<std::string, std::string>;

Races races_of(const std::string& body, const std::string& name = "haccrg", const Options& options = {}) {
  return replayed(name, body, options).races;
}

// The published table of states (M,S). Each row has an accessing thread and a kind of access.
TEST(Haccrg, AutomatonIsTheTable) {
  using enum ambit_kernel::HaccrgState;
  using enum ambit_kernel::Detail;
  struct Row {
    ambit_kernel::HaccrgState from;
    bool is_write;
    bool is_other;
    ambit_kernel::HaccrgState to;
    ambit_kernel::Detail race;
  };
  const std::vector<Row> rows = {
      {Unknown, false, false, OneReader, None},
      {Unknown, false, true, OneReader, None},
      {Unknown, true, false, Written, None},
      {Unknown, true, true, Written, None},
      {OneReader, false, false, OneReader, None},
      {OneReader, false, true, ManyReaders, None},
      {OneReader, true, false, Written, None},
      {OneReader, true, true, Written, WriteAfterRead},
      {Written, false, false, Written, None},
      {Written, false, true, Written, ReadAfterWrite},
      {Written, true, false, Written, None},
      {Written, true, true, Written, WriteAfterWrite},
      {ManyReaders, false, false, ManyReaders, None},
      {ManyReaders, false, true, ManyReaders, None},
      {ManyReaders, true, false, Written, WriteAfterRead},
      {ManyReaders, true, true, Written, WriteAfterRead},
  };
  for (const Row& row : rows) {
    const ambit_kernel::HaccrgStep step = ambit_kernel::haccrg_step(row.from, row.is_write, row.is_other);
    EXPECT_EQ(step.next, row.to);
    EXPECT_EQ(step.race, row.race);
  }
}

struct HaccrgCase {
  std::string what;
  std::string trace;
  Races races;
};

const std::vector<HaccrgCase>& haccrg_cases() {
  static const std::vector<HaccrgCase> all = {
      {"read after write by another warp", "b0t0 w x\nb0t32 r x\n", {"0-1"}},
      {"by another block", "b0t0 w x\nb1t0 r x\n", {"0-1"}},
      {"by the same warp: lockstep orders the accesses", "b0t0 w x\nb0t1 r x\n", {}},
      {"a fence of the writer, of any scope, orders the read", "b0t0 w x\nb0t0 fence.sc.cta\nb1t0 r x\n", {}},
      {"a fence of the reader orders nothing", "b0t0 w x\nb1t0 fence.sc.gpu\nb1t0 r x\n", {"0-2"}},
      {"a fence does not order two writes", "b0t0 w x\nb0t0 fence.sc.gpu\nb1t0 w x\n", {"0-2"}},
      {"only a barrier orders shared memory", "b0t0 w b0:s\nb0t0 fence.sc.cta\nb0t32 r b0:s\n", {"0-2"}},
      {"the first of two readers also writes", "b0t0 r x\nb0t32 r x\nb0t0 w x\n", {"0-2"}},
  };
  return all;
}

TEST(Haccrg, RulesOnTraces) {
  for (const HaccrgCase& c : haccrg_cases()) EXPECT_EQ(races_of(c.trace), c.races) << c.what;
}

std::vector<RaceReport> reports(const Trace& trace, const std::string& name) {
  MemoryTraceReader reader(trace);
  return test::shown(reader, name)->races();
}

TEST(Haccrg, SoftwareFormReportsTheSame) {
  for (const HaccrgCase& c : haccrg_cases()) EXPECT_EQ(races_of(c.trace, "srg"), races_of(c.trace)) << c.what;
  RandomTraceOptions options{
      .threads_per_block = 4, .warp = 2, .steps = 60, .barrier = 2, .flag = 3, .inferred = 4, .scopes = true};
  std::size_t races = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const Trace trace = random_trace(seed, options);
    const auto hard = reports(trace, "haccrg");
    const auto soft = reports(trace, "srg");
    ASSERT_EQ(hard.size(), soft.size()) << seed;
    for (std::size_t i = 0; i < hard.size(); ++i) {
      EXPECT_EQ(hard[i].sentence, soft[i].sentence);
      EXPECT_EQ(hard[i].count, soft[i].count);
    }
    races += hard.size();
  }
  EXPECT_GT(races, 100U);
}

TEST(Haccrg, CoarseGranulesConfuseNeighbours) {
  const std::string neighbours = "b0t0 w a[0]\nb0t32 w a[1]\n";
  EXPECT_EQ(races_of(neighbours), Races{});
  EXPECT_EQ(races_of(neighbours, "haccrg", {{"granularity", "8"}}), Races{"0-1"});
}

TEST(Haccrg, AForgottenPageForgetsItsWriter) {
  const std::string trace = "b0t0 w a[0]\nb0t0 w a[2000]\nb1t0 w a[0]\n";  // a[2000] is 8000 bytes after a[0]: page 1
  EXPECT_EQ(races_of(trace), Races{"0-2"});
  EXPECT_EQ(races_of(trace, "haccrg", {{"pages", "1"}}), Races{});
  EXPECT_EQ(races_of(trace, "haccrg", {{"pages", "4"}}), Races{"0-2"});
}

TEST(Haccrg, TwoLanesOfOneInstruction) {
  EXPECT_EQ(races_of("b0t0 w x k.cu:1\nb0t1 w x k.cu:1\n"), Races{"0-1"});
  EXPECT_EQ(races_of("b0t0 w x k.cu:1\nb0t1 w x k.cu:2\n"), Races{}) << "the lanes run different instructions";
  EXPECT_EQ(races_of("b0t0 w x k.cu:1\nb0t0 r y k.cu:2\nb0t1 w x k.cu:1\n"), Races{})
      << "lane 0 has run another instruction in between";
  EXPECT_EQ(races_of("b0t0 w x k.cu:1\nb0t1 r y k.cu:2\nb0t1 w x k.cu:1\n"), Races{}) << "lane 1 came later";
}

// Accesses by two blocks that hold l do not race. An access without l races with an access under l. Locks take
// precedence over the table: in the table, a fence orders a later read, but under locks a fence has no effect.
TEST(Haccrg, LocksReplaceTheTable) {
  const auto section = [](const std::string& thread, const std::string& lock, const std::string& access) {
    return thread + " acq " + lock + ".gpu\n" + thread + " " + access + "\n" + thread + " rel " + lock + ".gpu\n";
  };
  EXPECT_EQ(races_of(section("b0t0", "l", "w x") + section("b1t0", "l", "w x")), Races{});
  EXPECT_EQ(races_of(section("b0t0", "l", "w x") + "b1t0 w x\n"), Races{"1-3"});
  EXPECT_EQ(races_of("b1t0 w x\n" + section("b0t0", "l", "w x")), Races{"0-2"});
  EXPECT_EQ(races_of(section("b0t0", "l", "w x") + "b1t0 r x\n"), Races{"1-3"})
      << "a fence before the release does not order a read without l";
  EXPECT_EQ(races_of(section("b0t0", "l", "r x") + "b1t0 r x\n"), Races{}) << "no thread writes";
  EXPECT_EQ(races_of(section("b0t0", "l", "r x") + section("b1t0", "m", "r x")), Races{});
  EXPECT_EQ(races_of(section("b0t0", "l", "w x") + section("b1t0", "m", "w x")), Races{"1-4"});
  EXPECT_EQ(races_of(section("b0t0", "l", "w x") + "b0t0 w x\n"), Races{}) << "both writes are by one thread";
  // The entry has the locks that all accesses so far have in common: l and m after the first access, l after the
  // second. The third writer holds only m.
  EXPECT_EQ(races_of("b0t0 acq m.gpu\n" + section("b0t0", "l", "w x") + "b0t0 rel m.gpu\n" +
                     section("b1t0", "l", "w x") + section("b0t32", "m", "w x")),
            Races{"6-9"});
}

// The signature of a lock has only six bits of the lock's number, so the 65th location has the signature of the first.
TEST(Haccrg, SignaturesOfDifferentLocksCanBeEqual) {
  std::string trace = "b0t0 acq l.gpu\nb0t0 w x\nb0t0 rel l.gpu\n";
  for (int i = 0; i < 62; ++i) trace += "b0t0 r y" + std::to_string(i) + "\n";  // l, x, y0 ... y61: m is the 65th
  trace += "b1t0 acq m.gpu\nb1t0 w x\nb1t0 rel m.gpu\n";
  EXPECT_EQ(races_of(trace), Races{}) << "the published detector misses this race";
}

TEST(Haccrg, InferredLocksCount) {
  const std::string held =
      "b0t0 rmw.relaxed.gpu.cas l:0->1\nb0t0 fence.sc.gpu\nb0t0 w x\nb0t0 fence.sc.gpu\n"
      "b0t0 rmw.relaxed.gpu.exch l:1->0\n";
  EXPECT_EQ(races_of(held + "b1t0 w x\n"), Races{"2-5"});
  EXPECT_EQ(replayed("haccrg", held + "b1t0 w x\n").kinds, Races{"no common lock"});
}

// A second fence of wider scope widens the scope of the lock, but the thread takes the lock only once. The thread
// writes y without the lock.
TEST(Haccrg, AWiderFenceTakesALockOnce) {
  const std::string trace =
      "b0t0 rmw.relaxed.gpu.cas l:0->1\nb0t0 fence.sc.cta\nb0t0 fence.sc.gpu\nb0t0 w x\nb0t0 fence.sc.gpu\n"
      "b0t0 rmw.relaxed.gpu.exch l:1->0\nb0t0 w y\nb1t0 acq l.gpu\nb1t0 w y\nb1t0 rel l.gpu\n";
  EXPECT_EQ(races_of(trace), Races{"6-8"});
}

constexpr const char* kTwoThreads = "grid=2,1,1 block=2,1,1 warp=1";

TEST(Haccrg, ABarrierStartsABlocksMemoryAgain) {
  const std::string barrier = "b0t0 bar 0\nb0t1 bar 0\n";
  EXPECT_EQ(replayed("haccrg", "b0t0 w x\n" + barrier + "b0t1 w x\n", {}, kTwoThreads).races, Races{});
  EXPECT_EQ(replayed("haccrg", "b0t0 w b0:s\n" + barrier + "b0t1 w b0:s\n", {}, kTwoThreads).races, Races{});
  // A barrier of b1 does not order b0's write, because b0 has not arrived at the barrier.
  const std::string other = "b0t0 w x\nb1t0 bar 0\nb1t1 bar 0\nb1t0 w x\n";
  EXPECT_EQ(replayed("haccrg", other, {}, kTwoThreads).races, Races{"0-3"});
}

// A barrier increments its block's barrier number only if the block has accessed global memory since the last barrier.
// The second and third barrier therefore change nothing, and do not hide the later race of b0t0 and b0t1. The barrier
// number has 8 bits, so after 256 counted barriers it has its old value.
TEST(Haccrg, BarrierNumbersCountUseAndWrap) {
  const std::string barrier = "b0t0 bar 0\nb0t1 bar 0\n";
  std::string wraps = "b0t0 w x\n";
  for (int i = 0; i < 256; ++i) wraps += barrier + "b0t0 r y\n";
  EXPECT_EQ(replayed("haccrg", wraps + "b0t1 w x\n", {}, kTwoThreads).races.size(), 1U) << "a false positive";
  std::string idle = "b0t0 w x\n";
  for (int i = 0; i < 256; ++i) idle += barrier;
  EXPECT_EQ(replayed("haccrg", idle + "b0t1 w x\n", {}, kTwoThreads).races, Races{});
}

// If a full warp runs eight fences together, they count as 8. If they counted as 256, the eight-bit fence number would
// have its value from the write again. If one lane runs 256 fences, or if two lanes run 256 fences with other events in
// between, these fences count as 256.
TEST(Haccrg, AWarpCountsAFenceOnce) {
  std::string of_all;
  for (int i = 0; i < 8; ++i) {
    for (int lane = 0; lane < 32; ++lane) of_all += "b0t" + std::to_string(lane) + " fence.sc.gpu k:1\n";
  }
  EXPECT_EQ(races_of("b0t0 w x k:0\n" + of_all + "b1t0 r x k:9\n"), Races{});
  std::string of_one;
  for (int i = 0; i < 256; ++i) of_one += "b0t0 fence.sc.gpu k:1\n";
  EXPECT_EQ(races_of("b0t0 w x k:0\n" + of_one + "b1t0 r x k:9\n").size(), 1U) << "a false positive";
  std::string apart;
  for (int i = 0; i < 128; ++i) {
    for (const std::string lane : {"b0t0", "b0t1"}) apart += lane + " fence.sc.gpu k:1\nb0t2 r y k:2\n";
  }
  EXPECT_EQ(races_of("b0t0 w x k:0\n" + apart + "b1t0 r x k:9\n").size(), 1U) << "a false positive";
}

// HAccRG misses this race. b0's access after b0's barrier replaces the entry and thus the record of b1's read.
TEST(Haccrg, AnOwnBarrierForgetsReadersOfOtherBlocks) {
  const std::string trace = "b0t0 r x\nb1t0 r x\nb0t0 bar 0\nb0t1 bar 0\nb0t0 w x\n";
  EXPECT_EQ(replayed("haccrg", trace, {}, kTwoThreads).races, Races{});
}

TEST(Haccrg, AtomicsAreNeitherCheckedNorRemembered) {
  EXPECT_EQ(races_of("b0t0 rmw.relaxed.gpu.add x:0->1\nb1t0 rmw.relaxed.gpu.add x:1->2\n"), Races{});
  EXPECT_EQ(races_of("b0t0 w x\nb1t0 rmw.relaxed.gpu.add x:1->2\n"), Races{});
}

// A reported write replaces the entry. So b1's next write is not reported, and b0's next write races with b1's write.
TEST(Haccrg, AReportedWriteTakesTheEntry) {
  EXPECT_EQ(races_of("b0t0 w x\nb1t0 w x\nb1t0 w x\nb0t0 w x\n"), (Races{"0-1", "2-3"}));
  EXPECT_EQ(races_of("b0t0 w x a:1\nb1t0 r x a:2\nb0t0 w x a:3\n"), Races{"0-1"}) << "a reported read keeps the entry";
}

}  // namespace
}  // namespace ambit::detector
