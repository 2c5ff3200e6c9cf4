#include "model/repair/level_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace ambit::repair {
namespace {

Slot slot(const std::vector<int>& costs, bool is_monotone = true) {
  Slot result;
  result.is_monotone = is_monotone;
  for (const int cost : costs) result.levels.push_back({cost, {}, ""});
  return result;
}

class Random {
 public:
  explicit Random(std::uint32_t seed) : state_(seed * 2654435761U + 1) {}
  std::uint32_t operator()(std::uint32_t bound) {
    state_ = state_ * 1664525 + 1013904223;
    return (state_ >> 8) % bound;
  }

 private:
  std::uint32_t state_;
};

/// Returns all combinations of levels, in no particular order.
std::vector<Levels> all_levels(const std::vector<Slot>& slots) {
  std::vector<Levels> all = {{}};
  for (const Slot& one : slots) {
    std::vector<Levels> longer;
    for (const Levels& levels : all) {
      for (std::size_t level = 0; level < one.levels.size(); ++level) {
        longer.push_back(levels);
        longer.back().push_back(static_cast<std::uint8_t>(level));
      }
    }
    all = std::move(longer);
  }
  return all;
}

/// A search problem with random wanted levels. Levels are wanted if they satisfy two conditions. In the monotone slots,
/// they are at least as high as one of `demands`. A random function accepts the levels of the other slots.
struct Problem {
  std::vector<Slot> slots;
  std::vector<Levels> demands;
  std::uint32_t seed = 0;

  bool is_wanted(const Levels& levels) const {
    std::uint32_t others = seed;
    for (std::size_t i = 0; i < levels.size(); ++i) {
      if (!slots[i].is_monotone) others = others * 31 + levels[i] + 7;
    }
    if (Random(others)(2) == 0) return false;
    return std::any_of(demands.begin(), demands.end(), [&](const Levels& demand) {
      for (std::size_t i = 0; i < levels.size(); ++i) {
        if (slots[i].is_monotone && levels[i] < demand[i]) return false;
      }
      return true;
    });
  }
};

Problem problem_of(std::uint32_t seed) {
  Random random(seed);
  Problem problem;
  problem.seed = seed;
  for (std::uint32_t count = 2 + random(5); count > 0; --count) {
    std::vector<int> costs = {0};
    for (std::uint32_t levels = 1 + random(3); levels > 0; --levels)
      costs.push_back(costs.back() + static_cast<int>(random(5)) + 1);
    problem.slots.push_back(slot(costs, random(3) > 0));
  }
  for (std::uint32_t count = random(4); count > 0; --count) {
    Levels demand;
    for (const Slot& one : problem.slots)
      demand.push_back(static_cast<std::uint8_t>(random(static_cast<std::uint32_t>(one.levels.size()))));
    problem.demands.push_back(std::move(demand));
  }
  return problem;
}

TEST(LevelSearch, FindsTheCheapestAsTryingAllDoes) {
  for (std::uint32_t seed = 0; seed < 500; ++seed) {
    const Problem problem = problem_of(seed);
    int cheapest = -1;
    for (const Levels& levels : all_levels(problem.slots)) {
      if (!problem.is_wanted(levels)) continue;
      const int cost = cost_of(problem.slots, levels);
      if (cheapest < 0 || cost < cheapest) cheapest = cost;
    }
    Context context;
    const auto attempt = [&](const Levels& levels) {
      return problem.is_wanted(levels) ? Trial::Wanted : Trial::Unwanted;
    };
    const LevelSearch search = search_levels(problem.slots, attempt, 1, context);
    ASSERT_EQ(search.found.empty(), cheapest < 0) << seed;
    if (cheapest < 0) {
      EXPECT_TRUE(search.is_exhausted) << seed;
      continue;
    }
    EXPECT_EQ(cost_of(problem.slots, search.found.front()), cheapest) << seed;
    EXPECT_TRUE(search.is_cheapest) << seed;
  }
}

TEST(LevelSearch, FurtherAnswersHoldNoEarlierOne) {
  const std::vector<Slot> slots = {slot({0, 3}), slot({0, 4}), slot({0, 5})};
  Context context;
  // The wanted levels are those whose sum is at least 2.
  const auto attempt = [](const Levels& levels) {
    return levels[0] + levels[1] + levels[2] >= 2 ? Trial::Wanted : Trial::Unwanted;
  };
  const LevelSearch search = search_levels(slots, attempt, 10, context);
  EXPECT_EQ(search.found, (std::vector<Levels>{{1, 1, 0}, {1, 0, 1}, {0, 1, 1}}));
  EXPECT_TRUE(search.is_exhausted);
}

TEST(LevelSearch, UnknownAnswersAreNeitherSuccessNorProof) {
  const std::vector<Slot> slots = {slot({0, 1}), slot({0, 2})};
  Context context;
  const auto attempt = [](const Levels& levels) {
    if (levels == Levels{1, 0}) return Trial::Unknown;
    return levels[1] == 1 ? Trial::Wanted : Trial::Unwanted;
  };
  const LevelSearch search = search_levels(slots, attempt, 1, context);
  ASSERT_EQ(search.found, (std::vector<Levels>{{0, 1}}));
  EXPECT_FALSE(search.is_cheapest);
  EXPECT_EQ(search.undecided, 1U);
}

// Two barriers can deadlock together although each of them alone removes the race.
TEST(LevelSearch, FaultySetsSayNothingAboutTheirParts) {
  const std::vector<Slot> slots = {slot({0, 37}), slot({0, 37}), slot({0, 20})};
  const auto attempt = [](const Levels& levels) {
    if (levels[0] + levels[1] == 2) return Trial::Faulty;
    return levels[1] == 1 ? Trial::Wanted : Trial::Unwanted;
  };
  Context context;
  const LevelSearch result = search_levels(slots, attempt, 1, context);
  ASSERT_EQ(result.found.size(), 1U);
  EXPECT_EQ(result.found.front(), (Levels{0, 1, 0}));
  EXPECT_TRUE(result.is_cheapest);
}

TEST(LevelSearch, AtTheTimeLimitTheHighestLevelsAreLowered) {
  const std::vector<Slot> slots = {slot({0, 1, 2}), slot({0, 9}), slot({0, 5}, false)};
  Context context;
  context.set_timeout(std::chrono::milliseconds(1));
  while (!context.should_stop(100000)) {}
  const auto attempt = [](const Levels& levels) { return levels[0] >= 1 ? Trial::Wanted : Trial::Unwanted; };
  const LevelSearch search = search_levels(slots, attempt, 1, context);
  EXPECT_EQ(search.found, (std::vector<Levels>{{1, 0, 0}}));
  EXPECT_FALSE(search.is_cheapest);
}

TEST(LevelSearch, AtTheTimeLimitOtherSlotsBeginAtWantedLevels) {
  const std::vector<Slot> slots = {slot({0, 1}), slot({0, 5}, false), slot({0, 9}, false)};
  Context context;
  context.set_timeout(std::chrono::milliseconds(1));
  while (!context.should_stop(100000)) {}
  const auto attempt = [](const Levels& levels) { return levels[1] == 1 ? Trial::Wanted : Trial::Unwanted; };
  EXPECT_TRUE(search_levels(slots, attempt, 1, context).found.empty());
  EXPECT_EQ(search_levels(slots, attempt, 1, context, true).found, (std::vector<Levels>{{0, 1, 0}}));
}

}  // namespace
}  // namespace ambit::repair
