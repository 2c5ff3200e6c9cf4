#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "model/rules/shipped.h"
#include "model/verdict/verdict.h"
#include "runner/sim/simulate.h"
#include "tests/support/parsed.h"

// Runs the simulator on litmus/async. The model ptx must allow the simulator's outcomes. For each bug in these tests,
// the simulator must show the behaviour that the bug causes.
namespace ambit::sim {
namespace {

using Outcomes = std::set<std::vector<Value>>;

/// Simulates all schedules of a test. A pipeline has too many schedules, so only some of its schedules are simulated.
Result<Simulation> simulated(const std::shared_ptr<const Program>& program) {
  Options options;
  options.memory = MemoryKind::Sc;
  options.schedule =
      program->threads.size() > 2 && program->locations.size() > 10 ? ScheduleKind::Random : ScheduleKind::Exhaustive;
  options.runs = 300;
  Context context;
  return simulate(program, options, context);
}

std::set<std::string> frequent(const std::shared_ptr<const Program>& program) {
  const auto simulation = simulated(program);
  EXPECT_TRUE(simulation.ok()) << render(simulation.errors());
  std::set<std::string> found;
  for (const auto& [outcome, runs] : simulation.value().histogram.outcomes) {
    found.insert(evaluate(*program->condition.proposition, outcome) != 0 ? "holds" : "fails");
  }
  if (simulation.value().histogram.deadlocks > 0) found.insert("stuck");
  return found;
}

std::vector<std::filesystem::path> corpus() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(test::project() / "litmus/async")) {
    if (entry.path().extension() == ".litmus") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

TEST(SimulatedOperations, ShowNothingThatPtxForbids) {
  const auto rules = parser::load_model("ptx", {});
  ASSERT_TRUE(rules.ok());
  verdict::Checker checker;
  std::size_t compared = 0;
  for (const std::filesystem::path& file : corpus()) {
    if (file.parent_path().filename() == "kernels") continue;  // computing their outcomes takes half a minute
    const auto program = test::program_in(file);
    const auto simulation = simulated(program);
    ASSERT_TRUE(simulation.ok()) << file << render(simulation.errors());
    Context context;
    verdict::CheckOptions options;
    options.questions = {.proposition = false, .flags = false, .incidents = false, .outcomes = true};
    const auto verdict = checker.check(program, rules.value(), options, context);
    ASSERT_TRUE(verdict.ok()) << file << render(verdict.errors());
    ASSERT_FALSE(verdict.value().unknown) << file;
    for (const auto& [outcome, runs] : simulation.value().histogram.outcomes) {
      EXPECT_THAT(verdict.value().answers.outcomes, testing::Contains(outcome)) << file;
      ++compared;
    }
  }
  EXPECT_GT(compared, corpus().size() / 2);
}

/// If a wait can be stuck, some run ends in a deadlock. If a test terminates, no run ends in a deadlock.
TEST(SimulatedOperations, AreStuckWhereTerminationSaysSo) {
  std::size_t queried = 0;
  for (const std::filesystem::path& file : corpus()) {
    const auto program = test::program_in(file);
    for (const TerminationExpectation& expected : program->terminations) {
      if (expected.model != "ptx" || expected.scheduler != Scheduler::Fair || !expected.terminates) continue;
      const auto simulation = simulated(program);
      ASSERT_TRUE(simulation.ok()) << file;
      const bool is_stuck = simulation.value().histogram.deadlocks > 0;
      EXPECT_FALSE(is_stuck && *expected.terminates) << file;
      if (!simulation.value().is_exhaustive) continue;
      EXPECT_NE(is_stuck, *expected.terminates) << file;
      ++queried;
    }
  }
  EXPECT_GT(queried, 5U);
}

TEST(SimulatedOperations, ShowTheMistakes) {
  using testing::Contains;
  using testing::Not;
  const auto of = [](const std::string& name) {
    return frequent(test::program_in(test::project() / "litmus/async" / (name + ".litmus")));
  };
  // Without the proxy fence, the copy can read the old value.
  EXPECT_THAT(of("01-FlashKDA-24"), Contains("holds"));
  EXPECT_THAT(of("01-FlashKDA-24+fence"), Not(Contains("holds")));
  EXPECT_THAT(of("01-FlashKDA-24+fence-global"), Contains("holds"));
  EXPECT_THAT(of("40-ptx-9.7.9.25.3"), Contains("holds"));
  // Each of these tests has a bug: in place of the necessary wait, it has a barrier or a wait for another object.
  EXPECT_THAT(of("14-Fuser-3438"), Contains("holds"));
  EXPECT_THAT(of("14-Fuser-3438+wait"), Not(Contains("holds")));
  EXPECT_THAT(of("15-csarofeen-pytorch-2463"), Contains("holds"));
  EXPECT_THAT(of("15-csarofeen-pytorch-2463+commit"), Not(Contains("holds")));
  EXPECT_THAT(of("16-DeepGEMM-343"), Contains("holds"));
  EXPECT_THAT(of("30-tilelang-3087"), Contains("holds"));
  EXPECT_THAT(of("30-tilelang-3087+parity"), Not(Contains("holds")));
}

TEST(SimulatedOperations, TheMemoryOfAGpuAndLockstepRefuse) {
  const auto program = test::program_in(test::project() / "litmus/async/14-Fuser-3438.litmus");
  Context context;
  EXPECT_FALSE(simulate(program, {.memory = MemoryKind::Gpu}, context).ok());
  EXPECT_FALSE(simulate(program, {.memory = MemoryKind::Sc, .warps = WarpKind::Lockstep}, context).ok());
}

}  // namespace
}  // namespace ambit::sim
