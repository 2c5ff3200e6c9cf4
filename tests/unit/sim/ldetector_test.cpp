#include "runner/sim/ldetector.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <vector>

#include "tests/support/parsed.h"

namespace ambit::sim {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::shared_ptr<const Program> parse(const std::string& text) {
  return test::program_of("CUDA test\n" + text, "test.litmus");
}

std::shared_ptr<const Program> from_file(const std::string& name) { return test::program_in("litmus/" + name); }

Result<LDetectorResult> run(const std::shared_ptr<const Program>& program, bool speculative = false) {
  Context context;
  LDetectorOptions options;
  options.speculative = speculative;
  return ldetector(*program, options, context);
}

/// Returns the races as text without sites, such as "s[0]: P0 writes, P1 reads".
std::vector<std::string> races(const LDetectorResult& result) {
  std::vector<std::string> lines;
  for (const RaceReport& race : result.races) {
    const auto side = [&](const RaceAccess& access) {
      return result.tables.threads()[access.thread].name + (access.is_write ? " writes" : " reads");
    };
    lines.push_back(result.tables.locations()[race.location].name + ": " + side(race.first) + ", " + side(race.second));
  }
  return lines;
}

/// Runs the plain and the speculative variant. Expects that both report the same races, and returns the races.
std::vector<std::string> races_of(const std::shared_ptr<const Program>& program) {
  const auto plain = run(program);
  const auto speculative = run(program, true);
  EXPECT_TRUE(plain.ok()) << (plain.ok() ? "" : render(plain.errors()));
  EXPECT_TRUE(speculative.ok()) << (speculative.ok() ? "" : render(speculative.errors()));
  if (!plain.ok() || !speculative.ok()) return {"no result"};
  EXPECT_EQ(races(plain.value()), races(speculative.value()));
  EXPECT_EQ(plain.value().remarks, speculative.value().remarks);
  EXPECT_EQ(plain.value().regions, speculative.value().regions);
  EXPECT_EQ(plain.value().rollbacks, 0U);
  return races(plain.value());
}

std::string error_of(const std::string& text) {
  const auto result = run(parse(text));
  EXPECT_FALSE(result.ok());
  return result.ok() ? "" : render(result.errors());
}

// ---- the three shapes of the publication ----

TEST(LDetectorTest, TwoWarpsChangeOneCell) {
  // Both threads have changed s[0] in their copies.
  EXPECT_THAT(races_of(parse("{ shared int s[2] = {0}; }\n"
                             "P0 @ block 0 { s[0] = 1; }\n"
                             "P1 @ block 0 { s[0] = 2; }\n")),
              ElementsAre("b0:s[0]: P0 writes, P1 writes"));
}

TEST(LDetectorTest, SaysWhenBothLeaveTheSameValue) {
  const auto result =
      run(parse("{ shared int s[1] = {0}; }\nP0 @ block 0 { s[0] = 1; }\nP1 @ block 0 { s[0] = 1; }\n"));
  ASSERT_TRUE(result.ok());
  ASSERT_EQ(result.value().races.size(), 1U);
  EXPECT_THAT(result.value().races.front().sentence, HasSubstr("to the same value"));
}

TEST(LDetectorTest, OneWarpReadsWhatAnotherChanges) {
  // In pass two, P1 reads 1 from s[0]. So P1 writes 1 to s[1], not 5.
  EXPECT_THAT(races_of(parse("{ shared int s[2] = {5, 0}; }\n"
                             "P0 @ block 0 { s[0] = 1; }\n"
                             "P1 @ block 0 { s[1] = s[0]; }\n")),
              ElementsAre("b0:s[0]: P0 writes, P1 reads"));
}

TEST(LDetectorTest, ABarrierBetweenMakesTwoRegions) {
  EXPECT_THAT(races_of(parse("{ shared int s[2] = {5, 0}; }\n"
                             "P0 @ block 0 { s[0] = 1; __syncthreads(); }\n"
                             "P1 @ block 0 { __syncthreads(); s[1] = s[0]; }\n")),
              IsEmpty());
}

TEST(LDetectorTest, SitesAndKind) {
  const auto result =
      run(parse("{ shared int s[2] = {5, 0}; }\n"
                "P0 @ block 0 { s[0] = 1; }\n"
                "P1 @ block 0 {\n  s[1] = s[0];\n}\n"));
  ASSERT_TRUE(result.ok());
  ASSERT_EQ(result.value().races.size(), 1U);
  const RaceReport& race = result.value().races.front();
  EXPECT_EQ(result.value().tables.sites()[race.first.site], "test.litmus:3");
  EXPECT_EQ(result.value().tables.sites()[race.second.site], "test.litmus:5:10");  // the load in the store's line
  EXPECT_EQ(race.kind, RaceKind::MissingBarrier);
  EXPECT_EQ(race.level, RaceLevel::Block);
  EXPECT_EQ(race.first.event, RaceAccess::kNoEvent);
}

TEST(LDetectorTest, AnAssumptionThatFailsInPassTwoConcernsItsWarpAlone) {
  // In pass two, P1 reads 1 from s[0], and P1's assumption fails. P2 also reads s[0], but writes 7 as in pass one.
  EXPECT_THAT(races_of(parse("{ shared int s[3] = {0}; }\n"
                             "P0 @ block 0 { s[0] = 1; }\n"
                             "P1 @ block 0 { int r0 = s[0]; assume(r0 != 1); s[1] = 5; }\n"
                             "P2 @ block 0 { int r0 = s[0]; s[2] = 7; }\n")),
              ElementsAre("b0:s[0]: P0 writes, P1 reads"));
}

// ---- known misses ----

TEST(LDetectorTest, MissesWritesOfTheOldValue) {
  // P1 stores the old value of s[0], so P1's copy is equal to the original.
  EXPECT_THAT(races_of(parse("{ shared int s[1] = {7}; }\n"
                             "P0 @ block 0 { s[0] = 1; }\n"
                             "P1 @ block 0 { s[0] = 7; }\n")),
              IsEmpty());
}

TEST(LDetectorTest, MissesReadsThatInfluenceNothing) {
  // The value that P1 reads goes only to a register, not to shared memory.
  EXPECT_THAT(races_of(parse("{ shared int s[2] = {0}; }\n"
                             "P0 @ block 0 { s[0] = 1; }\n"
                             "P1 @ block 0 { int r = s[0]; s[1] = 3; }\n"
                             "exists (P1:r == 1)\n")),
              IsEmpty());
}

TEST(LDetectorTest, StopsAtAWriteWriteRace) {
  // s[1] also has a race between a read and a write. Pass two would find this race, but ldetector skips pass two after
  // a write-write race.
  EXPECT_THAT(races_of(parse("{ shared int s[3] = {0}; }\n"
                             "P0 @ block 0 { s[0] = 1; s[1] = 1; }\n"
                             "P1 @ block 0 { s[0] = 2; s[2] = s[1] + 1; }\n")),
              ElementsAre("b0:s[0]: P0 writes, P1 writes"));
}

TEST(LDetectorTest, LanesOfAWarpShareACopy) {
  EXPECT_THAT(races_of(parse("{ shared int s[1] = {0}; }\n"
                             "P0 @ block 0 warp 0 lane 0 { s[0] = 1; }\n"
                             "P1 @ block 0 warp 0 lane 1 { s[0] = 2; }\n")),
              IsEmpty());
}

// ldetector checks only shared memory. For a program without shared memory, it would never report a race.
TEST(LDetectorTest, RefusesAProgramWithoutSharedMemory) {
  EXPECT_THAT(
      error_of("{ global int x = 0; }\n"
               "P0 @ block 0 { x = 1; }\n"
               "P1 @ block 0 { x = 2; }\n"),
      HasSubstr("test.litmus: error: ldetector checks only shared memory, and the program has no shared memory"));
}

// ---- regions ----

TEST(LDetectorTest, PassTwoStartsWithRegistersAndGlobalMemoryOfTheRegion) {
  // In each pass, P0 adds 1 to a register and to g. Pass two must start with the original values. Otherwise P0 would
  // store another value, and ldetector would report a race.
  EXPECT_THAT(races_of(parse("{ shared int s[2] = {0}; global int g = 0; }\n"
                             "P0 @ block 0 { int r = 0; __syncthreads(); r = r + 1; g = g + 1; s[0] = r + g; }\n"
                             "P1 @ block 0 { __syncthreads(); s[1] = 4; }\n")),
              IsEmpty());
}

TEST(LDetectorTest, TheNextRegionStartsOnTheUnion) {
  // Region 2 must see the writes of region 1, so P1 stores 1 + 2 to s[2]. P0's write in region 3 has a condition. It
  // races with P1's write of s[2] only if P0 reads 3.
  EXPECT_THAT(
      races_of(parse("{ shared int s[3] = {0}; }\n"
                     "P0 @ block 0 { s[0] = 1; __syncthreads(); __syncthreads(); if (s[2] == 3) s[2] = 8; }\n"
                     "P1 @ block 0 { s[1] = 2; __syncthreads(); s[2] = s[0] + s[1]; __syncthreads(); s[2] = 9; }\n")),
      ElementsAre("b0:s[2]: P0 writes, P1 writes"));
}

TEST(LDetectorTest, SpeculationIsRolledBack) {
  // Regions 1 and 2 both have a race. The speculative variant starts region 2 before it finds the race of region 1.
  const auto program = parse(
      "{ shared int s[2] = {0}; }\n"
      "P0 @ block 0 { s[0] = 1; __syncthreads(); s[1] = 1; __syncthreads(); }\n"
      "P1 @ block 0 { s[0] = 2; __syncthreads(); s[1] = 2; __syncthreads(); }\n");
  EXPECT_THAT(races_of(program), ElementsAre("b0:s[0]: P0 writes, P1 writes"));
  EXPECT_EQ(run(program, true).value().rollbacks, 1U);
}

TEST(LDetectorTest, RacesOfDifferentBlocksAreOneReportIfTheirSitesAre) {
  const auto result =
      run(parse("__global__ void kmain(int *data) {\n"
                "  __shared__ int s[1];\n"
                "  if (threadIdx.x % 32 == 0) s[0] = threadIdx.x + 1;\n"
                "}\n"
                "launch kmain<<<2, 64>>>(data[1]);\n"));
  ASSERT_TRUE(result.ok());
  ASSERT_EQ(result.value().races.size(), 1U);
  EXPECT_EQ(result.value().races.front().count, 2U);
}

TEST(LDetectorTest, ReportsTheReadThatMatters) {
  // P0 and P1 have changed cells that P2 reads. But only P1's change affects P2's result.
  EXPECT_THAT(races_of(parse("{ shared int s[3] = {0}; }\n"
                             "P0 @ block 0 { s[0] = 1; }\n"
                             "P1 @ block 0 { s[1] = 1; }\n"
                             "P2 @ block 0 { s[2] = (s[0] & 0) + s[1] + 5; }\n")),
              ElementsAre("b0:s[1]: P1 writes, P2 reads"));
}

// ---- the suite ----

TEST(LDetectorTest, Jacobi) {
  EXPECT_THAT(races_of(from_file("barrier/jacobi.litmus")), IsEmpty());
  // In pass one, all threads read old values: u[1] = (8+2)/2 = 5, u[2] = (4+6)/2 = 5, u[3] = (2+0)/2 = 1. In pass two,
  // each thread sees the changes of other threads: P1 writes (8+5)/2 = 6, P2 writes (5+1)/2 = 3, and P3 writes (5+0)/2
  // = 2. (P2 needs u[3], because (5+6)/2 would be 5 again.) So the loads of u[t + 1] by P1 and P2 race, and so does the
  // load of u[t - 1] by P3.
  const auto program = from_file("barrier/jacobi-without-barrier.litmus");
  EXPECT_THAT(races_of(program), ElementsAre("b0:u[2]: P2 writes, P1 reads", "b0:u[2]: P2 writes, P3 reads"));
  EXPECT_EQ(run(program).value().races.front().count, 2U);
  EXPECT_EQ(run(program).value().races.back().count, 1U);
}

TEST(LDetectorTest, ExpectationMaximisation) {
  EXPECT_THAT(races_of(from_file("barrier/em.litmus")), IsEmpty());
  EXPECT_THAT(races_of(from_file("barrier/em-shared-sum.litmus")), ElementsAre("b0:total[0]: P0 writes, P2 writes"));
}

TEST(LDetectorTest, Scan) {
  EXPECT_THAT(races_of(from_file("barrier/scan.litmus")), IsEmpty());
  // Without the second barrier, one region contains both the reads and the writes of an iteration. So a thread may add
  // its neighbour's new sum instead of the old sum.
  EXPECT_FALSE(races_of(from_file("barrier/scan-without-second-barrier.litmus")).empty());
  // A thread stores the value that it reads only after the next barrier. So in its own region, the read has no effect
  // on shared memory.
  EXPECT_THAT(races_of(from_file("barrier/scan-without-first-barrier.litmus")), IsEmpty());
  EXPECT_THAT(races_of(from_file("barrier/scan-without-third-barrier.litmus")), IsEmpty());
}

// ---- refused programs ----

TEST(LDetectorTest, RefusesAtomicsAndLocks) {
  EXPECT_THAT(error_of("{ shared int s = 0; }\nP0 @ block 0 { atomicAdd(&s, 1); }\n"),
              ::testing::AllOf(HasSubstr("test.litmus:3:"), HasSubstr("atomics or locks")));
  EXPECT_THAT(error_of("{ shared int s = 0; global int l = 0; }\nP0 @ block 0 { lock(l); s = 1; unlock(l); }\n"),
              HasSubstr("atomics or locks"));
}

TEST(LDetectorTest, RefusesBarriersOfPartOfABlock) {
  EXPECT_THAT(error_of("{ shared int s = 0; }\nP0 @ block 0 { s = 1; __barrier(1, 1); }\nP1 @ block 0 { s = 2; }\n"),
              HasSubstr("whole block"));
}

TEST(LDetectorTest, RefusesWaitsForOtherWarps) {
  EXPECT_THAT(error_of("{ shared volatile int s = 0; shared int t = 0; }\n"
                       "P0 @ block 0 { while (s == 0) {} t = 1; }\n"
                       "P1 @ block 0 { s = 1; }\n"),
              HasSubstr("P0 waits in a loop"));
}

TEST(LDetectorTest, SaysWhereABarrierIsNeverComplete) {
  const auto result =
      run(parse("{ shared int s[2] = {0}; }\n"
                "P0 @ block 0 { s[0] = 1; __syncthreads(); s[0] = 2; }\n"
                "P1 @ block 0 { s[1] = 1; __barrier(1); }\n"));
  ASSERT_TRUE(result.ok());
  EXPECT_THAT(result.value().races, IsEmpty());
  EXPECT_THAT(result.value().remarks, ElementsAre(HasSubstr("P0 waits at a barrier")));
  EXPECT_TRUE(result.value().is_open());
}

TEST(LDetectorTest, StopsWhenCancelled) {
  const std::atomic<bool> cancelled = true;
  Context context;
  context.set_cancellation(&cancelled);
  const auto result = ldetector(*parse("{ shared int s[1] = {0}; }\n"
                                       "P0 @ block 0 { s[0] = 1; }\nP1 @ block 0 { s[0] = 2; }\n"),
                                {}, context);
  ASSERT_TRUE(result.ok());
  EXPECT_TRUE(result.value().is_cancelled);
  EXPECT_TRUE(result.value().is_open());
  EXPECT_THAT(result.value().races, IsEmpty());
}

}  // namespace
}  // namespace ambit::sim
