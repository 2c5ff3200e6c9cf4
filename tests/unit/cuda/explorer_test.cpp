// Tests how a campaign with a time budget chooses the next test and the test's parameters.

#include "runner/cuda/stress/explorer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

namespace ambit::cuda {
namespace {

using testing::ElementsAre;

const std::vector<Value> kWeak = {1, 0};

Stress with_batch(std::uint32_t batch) {
  Stress stress;
  stress.batch = batch;
  return stress;
}

ExplorerTest test_of(const std::string& shape) { return {.shape = shape, .missing = {kWeak}}; }

/// Returns a report in which `set` has shown the weak outcome. If `set` is null, the report lacks the weak outcome.
RunReport report_of(const Stress* set) {
  RunReport report;
  if (set != nullptr) report.sightings.push_back({.values = kWeak, .count = 1, .first = *set, .best = *set});
  return report;
}

TEST(Explorer, TheFirstPassRunsEveryTestUnderThePortfolio) {
  Explorer explorer({test_of("mp"), test_of("sb")}, {with_batch(1), with_batch(2)}, {}, 100, 1);
  for (std::size_t test = 0; test < 2; ++test) {
    const auto trial = explorer.next(0);
    ASSERT_TRUE(trial);
    EXPECT_EQ(trial->test, test);
    EXPECT_TRUE(trial->is_first);
    EXPECT_THAT(trial->sets, ElementsAre(0U, 1U));
    EXPECT_GT(trial->seconds, 0);
    explorer.take(*trial, report_of(nullptr));
  }
  EXPECT_FALSE(explorer.next(0)->is_first);
  EXPECT_EQ(explorer.lacking(), 2U);
}

TEST(Explorer, OnlyTestsWithAMissingOutcomeRunAfterIt) {
  const Stress first = with_batch(1);
  Explorer explorer({test_of("mp"), test_of("sb")}, {first}, {}, 100, 1);
  explorer.take(*explorer.next(0), report_of(&first));
  explorer.take(*explorer.next(0), report_of(nullptr));
  for (int i = 0; i < 20; ++i) {
    const auto trial = explorer.next(1);
    ASSERT_TRUE(trial);
    EXPECT_EQ(trial->test, 1U);
    explorer.take(*trial, report_of(nullptr));
  }
  explorer.take({.test = 1, .is_first = false, .sets = {0}, .seconds = 1}, report_of(&first));
  EXPECT_FALSE(explorer.next(1));  // every outcome has been seen
}

TEST(Explorer, EndsWithItsBudget) {
  Explorer explorer({test_of("mp")}, {with_batch(1)}, {}, 10, 1);
  explorer.take(*explorer.next(0), report_of(nullptr));
  const auto last = explorer.next(9.99);
  ASSERT_TRUE(last);
  EXPECT_LE(last->seconds, 0.0101);
  EXPECT_FALSE(explorer.next(10));
}

TEST(Explorer, AnEarlierPartOfTheCampaignCounts) {
  ExplorerTest begun = test_of("mp");
  begun.has_begun = true;
  Explorer explorer({begun, test_of("sb")}, {with_batch(1)}, {}, 10, 1);
  EXPECT_EQ(explorer.next(0)->test, 1U);
}

TEST(Explorer, ADroppedTestRunsNoMore) {
  Explorer explorer({test_of("mp"), test_of("sb")}, {with_batch(1)}, {}, 10, 1);
  explorer.drop(0);
  const auto trial = explorer.next(0);
  EXPECT_EQ(trial->test, 1U);
  explorer.take(*trial, report_of(nullptr));
  for (int i = 0; i < 10; ++i) {
    const auto next = explorer.next(0);
    EXPECT_EQ(next->test, 1U);
    explorer.take(*next, report_of(nullptr));
  }
}

/// Expects that tests of one shape share results. The test has two shapes and two sets of parameters, and each shape
/// shows its weak outcome under only one of the sets. The results of the first tests of a shape decide the sets for its
/// later tests. The first tests place their cells in `memory`.
void expect_shapes_share_results(CellMemory memory) {
  const std::vector<Stress> sets = {with_batch(1), with_batch(2)};
  std::vector<ExplorerTest> tests;
  for (int i = 0; i < 60; ++i) tests.push_back(test_of(i % 2 == 0 ? "mp" : "sb"));
  Explorer explorer(tests, sets, {}, 1000, 1);
  std::map<std::size_t, int> trials_of_mp;
  // In the first pass, half of the tests of each shape show their weak outcome, under the set that suits the shape.
  for (std::size_t i = 0; i < tests.size(); ++i) {
    const auto trial = explorer.next(0);
    Stress shown = sets[i % 2];
    shown.cell_memory = static_cast<std::uint32_t>(memory);
    explorer.take(*trial, report_of(i < 30 ? &shown : nullptr));
  }
  for (int i = 0; i < 100; ++i) {
    const auto trial = explorer.next(1);
    ASSERT_TRUE(trial);
    if (trial->test % 2 == 0) {
      for (const std::size_t set : trial->sets) ++trials_of_mp[set];
    }
    explorer.take(*trial, report_of(nullptr));
  }
  EXPECT_GT(trials_of_mp[0], 2 * trials_of_mp[1]);
}
TEST(Explorer, TestsOfOneShapeShareWhatTheyLearn) { expect_shapes_share_results(CellMemory::FirstGpu); }
// A test on several GPUs runs under each set of parameters. Under each set, its cells are in every memory in turn.
TEST(Explorer, ASetIsKnownForAllPlacementsOfTheCells) { expect_shapes_share_results(CellMemory::InTurn); }

// Two processes make the choices of a campaign separately: the worker, and the process that watches the worker. Both
// must make the same choices.
TEST(Explorer, TheSameReportsLeadToTheSameTrials) {
  const std::vector<Stress> sets = {with_batch(1), with_batch(2)};
  Explorer one({test_of("mp"), test_of("sb")}, sets, {{"stride", 16}}, 1000, 7);
  Explorer other = one;
  for (int i = 0; i < 50; ++i) {
    const auto trial = one.next(i);
    const auto same = other.next(i);
    ASSERT_TRUE(trial && same);
    EXPECT_EQ(trial->test, same->test);
    EXPECT_EQ(trial->sets, same->sets);
    for (const std::size_t set : trial->sets) {
      EXPECT_EQ(one.set(set), other.set(set));
      if (set >= sets.size()) {
        EXPECT_EQ(one.set(set).stride, 16U);
      }
    }
    one.take(*trial, report_of(nullptr));
    other.take(*same, report_of(nullptr));
  }
}

}  // namespace
}  // namespace ambit::cuda
