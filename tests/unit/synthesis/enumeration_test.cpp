#include "synthesis/enumeration.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/support/plain_enumeration.h"

namespace ambit::synthesis {
namespace {

Alphabet alphabet_of(const std::string& text) {
  auto alphabet = Alphabet::read(text, "<test>");
  EXPECT_TRUE(alphabet.ok());
  return alphabet.value();
}

struct Case {
  Bounds bounds;
  std::string alphabet;
};

class TwoEnumerations : public testing::TestWithParam<Case> {};

TEST_P(TwoEnumerations, AgreeOnEveryCount) {
  const Case& one = GetParam();
  const Alphabet alphabet = alphabet_of(one.alphabet);
  for (const bool all : {false, true}) {
    Bounds bounds = one.bounds;
    bounds.all = all;
    std::set<std::string> names;
    const std::uint64_t count = for_each_program(bounds, alphabet, [&](const Skeleton& skeleton) {
      EXPECT_EQ(canonical(skeleton), skeleton);
      EXPECT_TRUE(names.insert(name_of(skeleton)).second) << name_of(skeleton);
      return true;
    });
    EXPECT_EQ(count, names.size());
    EXPECT_EQ(test::Plainly(bounds, alphabet).classes().size(), count) << (all ? "all" : "relevant");
    EXPECT_GT(count, 0U);
  }
}

INSTANTIATE_TEST_SUITE_P(Bounds, TwoEnumerations,
                         testing::Values(Case{{5, 2, 2, 2, 0}, "plain"}, Case{{4, 3, 3, 2, 0}, "plain"},
                                         Case{{4, 2, 2, 2, 0}, "R,W.rlx.gpu,F.sc.cta"},
                                         Case{{6, 2, 2, 1, 1}, "W,L.gpu,N.gpu"}, Case{{5, 3, 2, 1, 0}, "W,B"},
                                         Case{{6, 2, 1, 1, 2}, "W,L.gpu,N.gpu"},
                                         Case{{4, 2, 2, 2, 0}, "plain,guards"}));

TEST(Canonical, IsTheSameForAllCopies) {
  const Alphabet alphabet = alphabet_of("plain,locks,fences");
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const auto program = random_program({8, 3, 2, 2, 1}, alphabet, seed);
    ASSERT_TRUE(program);
    EXPECT_TRUE(is_relevant(*program));
    Skeleton copy = *program;
    std::rotate(copy.threads.begin(), copy.threads.begin() + 1, copy.threads.end());
    for (SkeletonThread& thread : copy.threads) {
      thread.block ^= 1U;
      for (Act& act : thread.acts) {
        if (act.is_access()) act.cell ^= 1U;
      }
    }
    EXPECT_EQ(name_of(canonical(copy)), name_of(*program));
  }
}

TEST(Estimate, IsNearTheTruth) {
  const Bounds bounds{6, 2, 2, 2, 0};
  const Alphabet alphabet = alphabet_of("plain");
  std::uint64_t programs = 0;
  for_each_program(bounds, alphabet, [&](const Skeleton&) { return ++programs > 0; });
  const double states = estimated_states(bounds, alphabet);
  EXPECT_GT(states, static_cast<double>(programs));
  EXPECT_LT(states, static_cast<double>(programs) * 100);
}

}  // namespace
}  // namespace ambit::synthesis
