#include "runner/sim/simulate.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "parser/parse.h"
#include "runner/sim/schedule_file.h"
#include "tests/support/files.h"
#include "tests/support/parsed.h"
#include "trace/trace_checker.h"

namespace ambit::sim {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::UnorderedElementsAre;

using Outcome = std::vector<Value>;

std::shared_ptr<const Program> read_test(const std::string& text) {
  return test::program_of("CUDA test\n" + text, "test.litmus");
}

Simulation run(const std::string& text, const Options& options, const OnRun& on_run = {}) {
  Context context;
  auto result = simulate(read_test(text), options, context, on_run);
  EXPECT_TRUE(result.ok()) << (result.ok() ? "" : render(result.errors()));
  return result.value();
}

Options all_of(MemoryKind memory, WarpKind warps = WarpKind::Independent) {
  Options options{.memory = memory, .schedule = ScheduleKind::Exhaustive, .warps = warps};
  return options;
}

/// Returns the outcomes of all schedules.
std::set<Outcome> outcomes(const std::string& text, const Options& options) {
  const Simulation simulation = run(text, options);
  EXPECT_TRUE(simulation.is_exhaustive) << simulation.why_not;
  std::set<Outcome> found;
  for (const auto& [outcome, count] : simulation.histogram.outcomes) found.insert(outcome);
  return found;
}

constexpr const char* kStoreBuffering = R"({ global int x = 0, y = 0; }
P0 @ block 0 { x = 1; int r0 = y; }
P1 @ block 1 { y = 1; int r1 = x; }
exists (P0:r0 == 0 && P1:r1 == 0)
)";

// ---- classes of schedules ----

std::size_t classes(const std::string& text) {
  std::size_t runs = 0;
  const Simulation simulation = run(text, all_of(MemoryKind::Sc), [&](const Run&) { return ++runs > 0; });
  EXPECT_TRUE(simulation.is_exhaustive);
  return runs;
}

// Two threads access two locations. x = 1 comes before or after r1 = x, and y = 1 comes before or after r0 = y. Three
// of the four combinations are possible. In the fourth combination, both reads come before the writes, which
// contradicts program order.
TEST(Exhaustive, StoreBufferingHasThreeClasses) { EXPECT_EQ(classes(kStoreBuffering), 3U); }

TEST(Exhaustive, ThreadsThatShareNothingHaveOneClass) {
  EXPECT_EQ(classes("{ global int x, y, z; }\nP0 @ block 0 { x = 1; x = 2; }\nP1 @ block 1 { y = 1; y = 2; }\n"
                    "P2 @ block 2 { z = 1; int r = z; }\nexists (x == 2)\n"),
            1U);
}

// ScoRD and iGUARD record the last reader of a cell in global memory. So the order of reads matters, and P1's read has
// three positions.
TEST(Exhaustive, ReadersOfGlobalMemoryAreOrdered) {
  EXPECT_EQ(classes("{ global int x; }\nP0 @ block 0 { int a = x; int b = x; }\nP1 @ block 1 { int c = x; }\n"
                    "exists (x == 0)\n"),
            3U);
}

TEST(Exhaustive, ReadsOfSharedMemoryCommute) {
  EXPECT_EQ(classes("{ shared int x; }\nP0 @ block 0 { int a = x; int b = x; }\nP1 @ block 0 warp 1 { int c = x; }\n"
                    "exists (P0:a == 0)\n"),
            1U);
}

// P0's fence affects only threads that access x after P0. If P1 accesses x after P0, the fence comes before or after
// P1's access. If P1 accesses x first, the fence has no effect.
TEST(Exhaustive, AFenceAfterAnAccessIsOrderedWithTheNextOne) {
  EXPECT_EQ(classes("{ global int x; }\nP0 @ block 0 { x = 1; __threadfence(); }\nP1 @ block 1 { x = 2; }\n"
                    "exists (x == 0)\n"),
            3U);
}

// A fence commutes with an access if the warp of the fence has not accessed the cell.
TEST(Exhaustive, AFenceCommutesWithAccessesOfOtherCells) {
  EXPECT_EQ(classes("{ global int x, y; }\nP0 @ block 0 { x = 1; __threadfence(); }\nP1 @ block 1 { y = 2; }\n"
                    "exists (x == 0)\n"),
            1U);
}

// Every write precedes the barrier, and every read follows it. All other steps are independent of each other, so there
// is one class.
TEST(Exhaustive, ABarrierOfTheBlockOrdersNothingElse) {
  EXPECT_EQ(classes("{ shared int x, y; }\nP0 @ block 0 { y = 1; __syncthreads(); int a = x; }\n"
                    "P1 @ block 0 warp 1 { x = 1; __syncthreads(); int b = y; }\nexists (P0:a == 0)\n"),
            1U);
}

// If each of n threads writes one cell once, the writes have n! orders.
TEST(Exhaustive, WritesOfOneCellComeInEveryOrder) {
  EXPECT_EQ(classes("{ global int x; }\nP0 @ block 0 { x = 1; }\nP1 @ block 1 { x = 2; }\nP2 @ block 2 { x = 3; }\n"
                    "P3 @ block 3 { x = 4; }\nexists (x == 0)\n"),
            24U);
}

// A failed compare-exchange and another operation have 2 orders. The order matters, because after the other operation,
// the compare-exchange could succeed.
TEST(Exhaustive, AFailedCompareExchangeHasItsPlace) {
  std::set<bool> failed_first;
  const std::string text =
      "{ global int x = 1; }\nP0 @ block 0 { int a = atomicCAS(&x, 0, 5); }\nP1 @ block 1 { atomicExch(&x, 2); }\n"
      "exists (x == 2)\n";
  EXPECT_EQ(classes(text), 2U);
}

TEST(Exhaustive, ALockIsTakenInEitherOrder) {
  const std::string body = "while (atomicCAS(&l, 0, 1) != 0) {} int r = n; n = r + 1; atomicExch(&l, 0);";
  const std::string text =
      "{ global int l = 0, n = 0; }\nP0 @ block 0 { " + body + " }\nP1 @ block 1 { " + body + " }\nexists (n == 2)\n";
  EXPECT_THAT(outcomes(text, all_of(MemoryKind::Sc)), ElementsAre(Outcome{2}));
  std::set<std::uint32_t> first;
  run(text, all_of(MemoryKind::Sc), [&](const sim::Run& one) {
    for (const TraceEvent& event : one.trace.events) {
      if (event.op == TraceOp::Rmw && !event.is_failed) {
        first.insert(event.thread);
        break;
      }
    }
    return true;
  });
  EXPECT_EQ(first.size(), 2U);
}

/// Returns a key for the class of a run without fences. The key is the order of accesses to each location.
std::vector<std::vector<std::string>> key_of(const Trace& trace) {
  std::map<std::uint32_t, std::vector<std::string>> accesses;
  std::map<std::uint32_t, int> count;
  for (const TraceEvent& event : trace.events) {
    const int number = count[event.thread]++;
    if (event.is_access()) accesses[event.object].push_back(fmt::format("{}.{}", event.thread, number));
  }
  std::vector<std::vector<std::string>> key;
  for (auto& [cell, of_cell] : accesses) {
    of_cell.push_back(fmt::format("@{}", cell));
    key.push_back(of_cell);
  }
  return key;
}

/// Generates a small program without loops: two or three threads, each with two or three accesses to two cells.
std::string random_program(std::uint32_t seed) {
  std::string text = "{ global int x = 0, y = 0; }\n";
  const auto next = [&seed] { return (seed = seed * 1664525U + 1013904223U) >> 16U; };
  const std::uint32_t threads = 2 + next() % 2;
  for (std::uint32_t t = 0; t < threads; ++t) {
    text += "P" + std::to_string(t) + " @ block " + std::to_string(t) + " { ";
    for (std::uint32_t i = 0; i < 2 + (threads == 2 ? next() % 2 : 0); ++i) {
      const std::string cell = next() % 2 == 0 ? "x" : "y";
      const std::string number = std::to_string(1 + next() % 2);
      switch (next() % 4) {
        case 0: text += cell + " = " + number + "; "; break;
        case 1: text += "int r" + std::to_string(i) + " = " + cell + "; "; break;
        case 2: text += "int r" + std::to_string(i) + " = atomicCAS(&" + cell + ", 1, 2); "; break;
        default: text += "atomicAdd(&" + cell + ", 1); "; break;
      }
    }
    text += "}\n";
  }
  return text;
}

// The random schedules do not use the reduction. The search must show the class of each random schedule, and must never
// show a class twice.
TEST(Exhaustive, ShowsEveryClassOfRandomProgramsOnce) {
  for (std::uint32_t seed = 1; seed <= 40; ++seed) {
    const std::string text = random_program(seed);
    std::set<std::vector<std::vector<std::string>>> shown;
    run(text, all_of(MemoryKind::Sc), [&](const sim::Run& one) {
      EXPECT_TRUE(shown.insert(key_of(one.trace)).second) << text << "run " << one.number << " repeats a class";
      return true;
    });
    Options random{.memory = MemoryKind::Sc, .runs = 3000};
    std::set<std::vector<std::vector<std::string>>> met;
    run(text, random, [&](const sim::Run& one) {
      met.insert(key_of(one.trace));
      EXPECT_TRUE(shown.contains(key_of(one.trace)))
          << text << "the search does not show the class of a random schedule";
      return true;
    });
    // 3000 random runs of at most nine steps reach nearly all classes of a program.
    EXPECT_GE(met.size() * 10, shown.size() * 7) << text;
  }
}

TEST(Exhaustive, OutcomesDoNotDependOnTheReduction) {
  for (const MemoryKind memory : {MemoryKind::Sc, MemoryKind::Gpu}) {
    for (std::uint32_t seed = 1; seed <= 40; ++seed) {
      const std::string text = random_program(seed);
      std::set<Outcome> reduced;
      const Simulation shown = run(text, all_of(memory), [&](const sim::Run& one) {
        reduced.insert(one.outcome);
        return true;
      });
      EXPECT_TRUE(shown.is_exhaustive) << text << shown.why_not;
      EXPECT_EQ(reduced, outcomes(text, all_of(memory))) << text;
    }
  }
}

// The search must show the trace of each random schedule. Several runs may have the same trace, because traces lack the
// actions of caches.
TEST(Exhaustive, WithCachesNoTraceOfARandomScheduleIsMissing) {
  for (std::uint32_t seed = 1; seed <= 40; ++seed) {
    const std::string text = random_program(seed);
    std::set<std::pair<std::vector<std::vector<std::string>>, Outcome>> shown;
    run(text, all_of(MemoryKind::Gpu), [&](const sim::Run& one) {
      shown.emplace(key_of(one.trace), one.outcome);
      return true;
    });
    Options random{.memory = MemoryKind::Gpu, .runs = 3000};
    run(text, random, [&](const sim::Run& one) {
      EXPECT_TRUE(shown.contains({key_of(one.trace), one.outcome}))
          << text << "the search does not show the run of a random schedule";
      return true;
    });
  }
}

// At first, the caches have copies of the cells. At each read of a thread, the L1 either still has the copy or has
// dropped the copy. So each thread has 4 cases, and there are 16 runs. The search shows each run in only one of the 6
// orders of the threads' steps.
TEST(Exhaustive, WithCachesThreadsThatShareNothingHaveOneClass) {
  std::size_t runs = 0;
  run("{ global int x, y; }\nP0 @ block 0 { int a = x; int b = x; }\nP1 @ block 1 { int c = y; int d = y; }\n"
      "exists (x == 0)\n",
      all_of(MemoryKind::Gpu), [&](const sim::Run&) { return ++runs > 0; });
  EXPECT_EQ(runs, 16U);
}

TEST(Exhaustive, SaysWhichBoundItHit) {
  Options options = all_of(MemoryKind::Sc);
  options.max_states = 3;
  const Simulation few = run(kStoreBuffering, options);
  EXPECT_FALSE(few.is_exhaustive);
  EXPECT_THAT(few.why_not, HasSubstr("more than 3 states"));
  options = all_of(MemoryKind::Sc);
  options.max_steps = 2;
  const Simulation cut = run(kStoreBuffering, options);
  EXPECT_FALSE(cut.is_exhaustive);
  EXPECT_THAT(cut.why_not, HasSubstr("more than 2 steps"));
  EXPECT_GT(cut.histogram.bound_hits, 0U);
}

// ---- behaviour of the memories ----

TEST(Memory, ScHasNoStoreBuffering) {
  // The thread whose write comes last reads the other thread's 1.
  EXPECT_THAT(outcomes(kStoreBuffering, all_of(MemoryKind::Sc)),
              UnorderedElementsAre(Outcome{0, 1}, Outcome{1, 0}, Outcome{1, 1}));
}

TEST(Memory, GpuHasStoreBuffering) {
  EXPECT_THAT(outcomes(kStoreBuffering, all_of(MemoryKind::Gpu)), Contains(Outcome{0, 0}));
}

std::string message_passing(const std::string& writer, const std::string& reader, int block) {
  return "{ global int x = 0, f = 0; }\nP0 @ block 0 { x = 1; " + writer +
         " store(f, 1, relaxed, device); }\nP1 @ block " + std::to_string(block) +
         " { int a = load(f, relaxed, device); " + reader + " int b = x; }\nexists (P1:a == 1 && P1:b == 0)\n";
}

// Both sides need a fence whose scope includes both threads. The writer's fence writes x to the L2 before f. The
// reader's fence drops the stale copy of x in its L1.
TEST(Memory, MessagePassingNeedsBothFencesAtTheScope) {
  const Options gpu = all_of(MemoryKind::Gpu);
  const Outcome stale = {1, 0};
  const std::string device = "__threadfence();";
  const std::string block = "__threadfence_block();";
  EXPECT_THAT(outcomes(message_passing("", "", 1), gpu), Contains(stale));
  EXPECT_THAT(outcomes(message_passing(device, "", 1), gpu), Contains(stale));
  EXPECT_THAT(outcomes(message_passing("", device, 1), gpu), Contains(stale));
  EXPECT_THAT(outcomes(message_passing(block, block, 1), gpu), Contains(stale));
  EXPECT_THAT(outcomes(message_passing(device, device, 1), gpu), Not(Contains(stale)));
}

// Both threads use the same L1, so fences of block scope suffice.
TEST(Memory, FencesOfTheBlockAreEnoughWithinIt) {
  const std::string block = "__threadfence_block();";
  EXPECT_THAT(outcomes(message_passing(block, block, 0), all_of(MemoryKind::Gpu)), Not(Contains(Outcome{1, 0})));
}

TEST(Memory, AThreadReadsItsOwnStores) {
  EXPECT_THAT(outcomes("{ global int x = 0; }\nP0 @ block 0 { x = 1; int r = x; }\nexists (P0:r == 1)\n",
                       all_of(MemoryKind::Gpu)),
              ElementsAre(Outcome{1}));
}

// Atomics of block scope take effect in the L1 of their block, so both blocks add to 0.
TEST(Memory, AtomicsOfTheBlockAreNotAtomicBetweenBlocks) {
  const std::string text =
      "{ global int x = 0; }\nP0 @ block 0 { int a = atomicAdd_block(&x, 1); }\n"
      "P1 @ block 1 { int b = atomicAdd_block(&x, 1); }\nexists (P0:a == 0 && P1:b == 0)\n";
  EXPECT_THAT(outcomes(text, all_of(MemoryKind::Gpu)), Contains(Outcome{0, 0}));
  EXPECT_THAT(outcomes(text, all_of(MemoryKind::Sc)), Not(Contains(Outcome{0, 0})));
  Options shared = all_of(MemoryKind::Gpu);
  shared.blocks_per_multiprocessor = 2;
  EXPECT_THAT(outcomes(text, shared), Not(Contains(Outcome{0, 0})));
}

TEST(Memory, ABarrierCarriesWhatWasWrittenBeforeIt) {
  EXPECT_THAT(outcomes("{ global int x = 0; }\nP0 @ block 0 { x = 1; __syncthreads(); }\n"
                       "P1 @ block 0 { __syncthreads(); int r = x; }\nexists (P1:r == 1)\n",
                       all_of(MemoryKind::Gpu)),
              ElementsAre(Outcome{1}));
}

TEST(Memory, ProxiesAreNotSimulatedByTheGpu) {
  const auto source = std::make_shared<SourceFile>(SourceFile{
      "test.litmus",
      "PTX test\n{ x=0; t @ texture aliases x; }\n P0@cta 0,gpu 0 ;\n tld.weak r0, t ;\nexists (P0:r0 == 0)\n"});
  const auto program = parser::parse_program(source);
  if (!program.ok()) GTEST_SKIP() << render(program.errors());
  Context context;
  const auto result = simulate(program.value(), {}, context);
  ASSERT_FALSE(result.ok());
  EXPECT_THAT(result.errors().front().message, HasSubstr("proxy"));
}

// ---- ends ----

TEST(Ends, AWaitForWhatNeverComesIsADeadlock) {
  const Simulation simulation =
      run("{ global int x = 0; }\nP0 @ block 0 { while (load(x, relaxed, device) == 0) {} }\nexists (x == 0)\n",
          all_of(MemoryKind::Sc));
  EXPECT_GT(simulation.histogram.deadlocks, 0U);
  EXPECT_EQ(simulation.histogram.complete(), 0U);
}

TEST(Ends, ABarrierWaitsForTheThreadsThatHaveNotExited) {
  for (const WarpKind warps : {WarpKind::Independent, WarpKind::Lockstep}) {
    const Simulation exits =
        run("{ global int x = 0; }\nP0 @ block 0 { __syncthreads(); int r = x; }\nP1 @ block 0 { x = 1; }\nexists "
            "(P0:r == 0)\n",
            all_of(MemoryKind::Sc, warps));
    EXPECT_EQ(exits.histogram.deadlocks, 0U);
    ASSERT_EQ(exits.histogram.outcomes.size(), 1U);  // P0 passes the barrier after P1 has exited
    EXPECT_EQ(exits.histogram.outcomes.begin()->first, std::vector<Value>{1});
  }
  const Simulation counted =
      run("{ global int x = 0; }\nP0 @ block 0 { __barrier(1, 2); x = 1; }\nP1 @ block 0 { x = 2; }\nexists (x == 1)\n",
          all_of(MemoryKind::Sc));
  EXPECT_EQ(counted.histogram.complete(), 0U);
  const Simulation elsewhere =
      run("{ global int x = 0; }\nP0 @ block 0 { __syncthreads(); x = 1; }\nP1 @ block 0 { __barrier(1); }\nexists (x "
          "== 1)\n",
          all_of(MemoryKind::Sc));
  EXPECT_EQ(elsewhere.histogram.complete(), 0U);
}

TEST(Ends, ACountOfWarpsTakesWarpsWithExitedLanes) {
  const std::string text =
      "__device__ int x;\n__global__ void k(int n) {\n  if (threadIdx.x >= n) return;\n  __barrier(1, 64);\n"
      "  if (threadIdx.x == 0) x = 1;\n}\n";
  Options options{.memory = MemoryKind::Sc, .schedule = ScheduleKind::RoundRobin, .runs = 1};
  EXPECT_EQ(run(text + "launch k<<<1, 64>>>(40);\nexists (x == 1)\n", options).histogram.complete(), 1U);
  EXPECT_EQ(run(text + "launch k<<<1, 64>>>(32);\nexists (x == 1)\n", options).histogram.complete(), 0U);
}

// Two lanes of one warp use a lock. In lockstep, a lane that waits can block the lane that holds the lock. Only if the
// holder's side of the branch runs first, both lanes continue (docs/reference/termination.md).
TEST(Ends, LockstepCanDeadlockWhereIndependentLanesDoNot) {
  const std::string body = "while (atomicCAS(&l, 0, 1) != 0) {} n = n + 1; atomicExch(&l, 0);";
  const std::string text = "__device__ int l = 0, n = 0;\n__global__ void kmain(int *data) { " + body +
                           " }\nlaunch kmain<<<1, 2>>>(data[1]);\nexists (n == 2)\n";
  EXPECT_EQ(run(text, all_of(MemoryKind::Sc)).histogram.deadlocks, 0U);
  EXPECT_GT(run(text, all_of(MemoryKind::Sc, WarpKind::Lockstep)).histogram.deadlocks, 0U);
  // If the two lanes have separate code, they take two sides of a branch. One lane ends before the other begins.
  const std::string apart = "{ global int l = 0, n = 0; }\nP0 @ block 0 warp 0 lane 0 { " + body +
                            " }\nP1 @ block 0 warp 0 lane 1 { " + body + " }\nexists (n == 2)\n";
  EXPECT_EQ(run(apart, all_of(MemoryKind::Sc, WarpKind::Lockstep)).histogram.deadlocks, 0U);
}

TEST(Ends, LanesInLockstepWithCodeOfTheirOwn) {
  const Simulation simulation =
      run("{ global int x = 0, y = 0; }\nP0 @ block 0 warp 0 lane 0 { int r0 = 5; if (y == 1) r0 = 6; x = r0; }\n"
          "P1 @ block 0 warp 0 lane 1 { y = 1; y = 2; int r1 = x; }\nexists (x == 6)\n",
          all_of(MemoryKind::Sc, WarpKind::Lockstep));
  EXPECT_EQ(simulation.histogram.outcomes.size(), 1U) << "one of the two lanes ends before the other lane begins";
  EXPECT_EQ(simulation.histogram.outcomes.begin()->first, std::vector<Value>{5});
}

// ---- schedules and traces ----

TEST(Schedules, EqualSeedsGiveEqualRuns) {
  for (const ScheduleKind kind : {ScheduleKind::Random, ScheduleKind::RoundRobin, ScheduleKind::Pct}) {
    Options options{.schedule = kind, .runs = 200};
    EXPECT_EQ(run(kStoreBuffering, options).histogram.outcomes, run(kStoreBuffering, options).histogram.outcomes);
    EXPECT_EQ(run(kStoreBuffering, options).histogram.runs(), 200U);
  }
}

TEST(Schedules, AnotherSeedGivesOtherRuns) {
  Options options;
  const auto first = run(kStoreBuffering, options).histogram.outcomes;
  options.seed = 2;
  EXPECT_NE(first, run(kStoreBuffering, options).histogram.outcomes);
}

TEST(Schedules, AFileReplaysItsRun) {
  const auto program = read_test(kStoreBuffering);
  Options options;
  options.runs = 100;
  Context context;
  const auto all = simulate(program, options, context, [&](const sim::Run& one) {
    const auto source = std::make_shared<SourceFile>(SourceFile{"s", schedule_text(*program, options, one.schedule)});
    const auto schedule = read_schedule(source, {});
    EXPECT_TRUE(schedule.ok());
    const auto again = replay(program, schedule.value(), [&](const sim::Run& same) {
      EXPECT_EQ(same.outcome, one.outcome);
      EXPECT_EQ(same.schedule, one.schedule);
      return true;
    });
    EXPECT_TRUE(again.ok());
    return true;
  });
  EXPECT_TRUE(all.ok());
}

std::string schedule_error(const std::string& text) {
  const auto schedule = read_schedule(std::make_shared<SourceFile>(SourceFile{"s", text}), {});
  if (!schedule.ok()) return render(schedule.errors());
  const auto result = replay(read_test(kStoreBuffering), schedule.value());
  return result.ok() ? "" : render(result.errors());
}

TEST(Schedules, BadFilesAreExplained) {
  EXPECT_THAT(schedule_error("hello\n"), HasSubstr("s:1:1: error: expected 'ambit-schedule 1', found 'hello'"));
  EXPECT_THAT(schedule_error(""), HasSubstr("a schedule begins with"));
  EXPECT_THAT(schedule_error("ambit-schedule 1\nmemory none\nsteps 0\n"),
              HasSubstr("s:2:1: error: 'none' is not a value"));
  EXPECT_THAT(schedule_error("ambit-schedule 1\ncolour red\n"), HasSubstr("there is no setting 'colour'"));
  EXPECT_THAT(schedule_error("ambit-schedule 1\nsteps 2\nP0\n"), HasSubstr("2 steps are announced, but there are 1"));
  EXPECT_THAT(schedule_error("ambit-schedule 1\nsteps 1\nP0\nP0\n"), HasSubstr("s:4:1"));
  EXPECT_THAT(schedule_error("ambit-schedule 1\nmemory sc\nsteps 1\nP9\n"),
              HasSubstr("s:4:1: error: 'P9' cannot happen here; expected one of: P0, P1"));
  EXPECT_THAT(schedule_error("ambit-schedule 1\nmemory sc\nsteps 5\nP0\nP0\nP1\nP1\nP1\n"),
              HasSubstr("s:8:1: error: the run has ended before 'P1'"));
}

TEST(Traces, SayWhatHappened) {
  Options options{.memory = MemoryKind::Sc, .schedule = ScheduleKind::RoundRobin, .runs = 1};
  run("{ global int x = 4; }\nP0 @ block 0 { x = 1;\n __syncthreads();\n int r = atomicAdd(&x, 2); }\nexists (x == "
      "3)\n",
      options, [&](const sim::Run& one) {
        const auto& events = one.trace.events;
        EXPECT_EQ(events.size(), 4U);
        EXPECT_EQ(events[0].op, TraceOp::Write);
        EXPECT_EQ(events[0].value, 1);
        EXPECT_EQ(events[1].op, TraceOp::Barrier);
        EXPECT_EQ(events[2].op, TraceOp::Rmw);
        EXPECT_EQ(events[2].old_value, 1);
        EXPECT_EQ(events[2].value, 3);
        EXPECT_EQ(events[3].op, TraceOp::Exit);
        trace::TraceChecker checker;
        for (const TraceEvent& event : events) EXPECT_EQ(checker.check(event, one.trace.tables), std::nullopt);
        return true;
      });
}

/// Votes and shuffles order no accesses. If the trace had a barrier for each vote or shuffle, detectors would miss
/// races.
TEST(Traces, HaveNoEventOfAVote) {
  const auto program = test::program_in("litmus/cuda/shuffle_is_no_fence.cu");
  const Options options{.memory = MemoryKind::Sc, .schedule = ScheduleKind::Exhaustive};
  Context context;
  std::size_t runs = 0;
  const auto shown = simulate(program, options, context, [&](const sim::Run& one) {
    ++runs;
    const auto is_barrier = [](const TraceEvent& event) { return event.is_barrier(); };
    EXPECT_TRUE(std::ranges::none_of(one.trace.events, is_barrier));
    return true;
  });
  EXPECT_TRUE(shown.ok());
  EXPECT_GT(runs, 0U);
}

/// A barrier can be split into an arrival and a wait. A trace cannot represent such a barrier, so the simulator refuses
/// to write a trace. Without the order of the wait, detectors would report false positives.
TEST(Traces, AreRefusedWhereTheyCannotSayWhatARunDid) {
  const auto program = test::program_in("litmus/ptx/barriers/cluster+bar+cluster.litmus");
  const Options options{.memory = MemoryKind::Sc, .schedule = ScheduleKind::Exhaustive};
  Context context;
  const auto shown = simulate(program, options, context, [](const sim::Run&) { return true; });
  ASSERT_FALSE(shown.ok());
  EXPECT_NE(shown.errors().front().message.find("a trace cannot represent"), std::string::npos);
  EXPECT_TRUE(simulate(program, options, context).ok()) << "the simulator can still compute outcomes";
}

}  // namespace
}  // namespace ambit::sim
