#include "runner/sim/endless_run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/support/parsed.h"

namespace ambit::sim {
namespace {

EndlessRunSearch search_in(const std::string& text, std::size_t most_states = kMostStates) {
  Context context;
  const auto result = find_endless_run(test::program_of(text), most_states, context);
  EXPECT_TRUE(result.ok()) << (result.ok() ? "" : render(result.errors()));
  return result.ok() ? result.value() : EndlessRunSearch{};
}

bool steps_in(const EndlessRun& run, std::uint32_t thread) {
  return std::ranges::any_of(run.cycle, [&](const EndlessRun::Step& step) { return step.thread == thread; });
}

// Two threads take two locks in opposite order. If the second lock is not free, a thread releases the first lock.
const char* const kBackOff = R"(CUDA back-off
{ global int a = 0, b = 0; }
P0 @ block 0 {
  int done = 0;
  while (done == 0) {
    if (atomicCAS(&a, 0, 1) == 0) {
      if (atomicCAS(&b, 0, 1) == 0) { atomicExch(&b, 0); done = 1; }
      atomicExch(&a, 0);
    }
  }
}
P1 @ block 1 {
  int done = 0;
  while (done == 0) {
    if (atomicCAS(&b, 0, 1) == 0) {
      if (atomicCAS(&a, 0, 1) == 0) { atomicExch(&a, 0); done = 1; }
      atomicExch(&b, 0);
    }
  }
}
)";

TEST(EndlessRun, TwoThreadsThatBackOffForever) {
  const EndlessRunSearch result = search_in(kBackOff);
  EXPECT_TRUE(result.is_complete);
  EXPECT_FALSE(result.has_deadlock);
  ASSERT_TRUE(result.run);
  EXPECT_TRUE(steps_in(*result.run, 0));
  EXPECT_TRUE(steps_in(*result.run, 1));
  // In a round, each thread takes one lock, fails to take the other lock, and releases the first lock.
  EXPECT_GE(result.run->cycle.size(), 6U);
}

TEST(EndlessRun, TheCycleReturnsAllCellsToTheirValues) {
  const EndlessRunSearch result = search_in(kBackOff);
  ASSERT_TRUE(result.run);
  std::vector<Value> cells(2, 0);
  const auto take = [&](const std::vector<EndlessRun::Step>& steps) {
    for (const EndlessRun::Step& step : steps) {
      if (step.read) {
        EXPECT_EQ(cells[*step.location], *step.read);
      }
      if (step.written) cells[*step.location] = *step.written;
    }
  };
  take(result.run->before);
  const std::vector<Value> first = cells;
  take(result.run->cycle);
  EXPECT_EQ(cells, first);
}

TEST(EndlessRun, LocksInOneOrderEnd) {
  std::string text = kBackOff;
  const std::size_t second = text.find("P1");
  text = text.substr(0, second) + "P1 @ block 1" + text.substr(text.find("P0") + 12, second - text.find("P0") - 12);
  const EndlessRunSearch result = search_in(text);
  EXPECT_TRUE(result.is_complete);
  EXPECT_FALSE(result.run);
}

// In the last state of each round, the value of x is from one of the threads. If this thread took the next step, it
// would leave the loop. A fair schedule may let the other thread step first.
TEST(EndlessRun, TwoThreadsThatOverwriteACell) {
  const EndlessRunSearch result = search_in(R"(CUDA ping-pong
{ global int x = 0; }
P0 @ block 0 { do { atomicExch(&x, 1); } while (atomicAdd(&x, 0) != 1); }
P1 @ block 1 { do { atomicExch(&x, 2); } while (atomicAdd(&x, 0) != 2); }
)");
  EXPECT_TRUE(result.is_complete);
  ASSERT_TRUE(result.run);
  EXPECT_TRUE(steps_in(*result.run, 0));
  EXPECT_TRUE(steps_in(*result.run, 1));
}

// P0 could write forever only if P1 never took a step.
TEST(EndlessRun, AScheduleThatStarvesAThreadIsNotFair) {
  const EndlessRunSearch result = search_in(R"(CUDA starve
{ global int x = 0, stop = 0; }
P0 @ block 0 { while (atomicAdd(&stop, 0) == 0) { atomicExch(&x, 1); } }
P1 @ block 1 { atomicExch(&stop, 1); }
)");
  EXPECT_TRUE(result.is_complete);
  EXPECT_FALSE(result.run);
  EXPECT_FALSE(result.has_deadlock);
}

TEST(EndlessRun, AThreadThatWritesWhileAnotherOneWaits) {
  const EndlessRunSearch result = search_in(R"(CUDA wait
{ global int x = 0, y = 0, stop = 0; }
P0 @ block 0 { while (atomicAdd(&stop, 0) == 0) { atomicExch(&x, 1); atomicExch(&x, 0); } }
P1 @ block 1 { while (load(y, relaxed, device) != 1) {} atomicExch(&stop, 1); }
)");
  ASSERT_TRUE(result.run);
  EXPECT_TRUE(steps_in(*result.run, 0));
  EXPECT_FALSE(steps_in(*result.run, 1)) << "P1 waits for y == 1";
}

TEST(EndlessRun, PhasesOfBarriersDoNotMakeStatesDifferent) {
  const EndlessRunSearch result = search_in(R"(CUDA phases
{ global int x = 0, stop = 0; }
P0 @ block 0 { while (load(stop, relaxed, block) == 0) { x = 1; __syncthreads(); } }
P1 @ block 0 { while (load(stop, relaxed, block) == 0) { __syncthreads(); } }
)");
  EXPECT_TRUE(result.is_complete);
  ASSERT_TRUE(result.run);
  EXPECT_TRUE(steps_in(*result.run, 0));
  EXPECT_TRUE(steps_in(*result.run, 1));
}

// In a round, P0 writes the value that the cell already has. The round changes nothing, so P0 waits.
TEST(EndlessRun, ARoundThatChangesNoValueIsAWait) {
  const EndlessRunSearch result = search_in(R"(CUDA same
{ global int x = 0, stop = 0; }
P0 @ block 0 { while (atomicAdd(&stop, 0) == 0) { atomicExch(&x, 1); } }
)");
  EXPECT_TRUE(result.is_complete);
  EXPECT_TRUE(result.has_deadlock);
  EXPECT_FALSE(result.run);
}

TEST(EndlessRun, ADeadlockIsNotALivelock) {
  const EndlessRunSearch result = search_in(R"(CUDA deadlock
{ global int x = 0; }
P0 @ block 0 { while (load(x, relaxed, device) == 0) {} }
)");
  EXPECT_TRUE(result.is_complete);
  EXPECT_TRUE(result.has_deadlock);
  EXPECT_FALSE(result.run);
}

TEST(EndlessRun, ALimitOfStatesGivesNoAnswer) {
  const EndlessRunSearch result = search_in(R"(CUDA count
{ global int n = 0; }
P0 @ block 0 { while (atomicAdd(&n, 1) != -1) {} }
)",
                                            1000);
  EXPECT_FALSE(result.is_complete);
  EXPECT_FALSE(result.run);
  EXPECT_EQ(result.why_not, "there are more than 1000 states");
}

}  // namespace
}  // namespace ambit::sim
