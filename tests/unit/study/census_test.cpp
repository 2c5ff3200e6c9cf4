#include "study/census.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/plain_enumeration.h"
#include "tests/unit/study/subjects.h"

namespace ambit::study {
namespace {

const std::vector<Subject>& subjects() {
  static const std::vector<Subject> kSubjects = {detector_named("gwcp"),   detector_named("barracuda"),
                                                 detector_named("haccrg"), model("hrf-indirect"),
                                                 model("scoped-hb"),       model("sc")};
  return kSubjects;
}

Census fresh(const synthesis::Bounds& bounds, const std::string& alphabet) {
  Census census;
  census.setting.bounds = bounds;
  census.setting.alphabet = alphabet;
  for (const Subject& subject : subjects()) census.setting.subjects.push_back(subject.name);
  return census;
}

Census complete(Census census) {
  EXPECT_EQ(continue_census(census, subjects(), [] { return false; }), "");
  EXPECT_TRUE(census.is_complete);
  return census;
}

/// Returns the counts without the names of the examples. These names depend on which of several equivalent programs is
/// counted.
std::string counts_text(Census census) {
  for (Counts& counts : census.counts) {
    for (Example& example : counts.examples) example.program = "";
  }
  census.position = 0;
  census.is_complete = true;
  return log_of(census);
}

class CensusBounds : public testing::TestWithParam<std::pair<synthesis::Bounds, std::string>> {};

TEST_P(CensusBounds, AgreeWithASecondEnumerationOnEveryCount) {
  const auto& [bounds, text] = GetParam();
  const auto alphabet = synthesis::Alphabet::read(text, "<test>");
  ASSERT_TRUE(alphabet.ok());
  std::vector<synthesis::Skeleton> copies;  // programs from an independent enumeration
  for (const std::string& name : test::Plainly(bounds, alphabet.value()).classes()) {
    copies.push_back(synthesis::skeleton_named(name).value());
  }
  Census second = fresh(bounds, text);
  count_programs(second, subjects(), copies);
  const Census first = complete(fresh(bounds, text));
  EXPECT_GT(first.programs, 20U);
  EXPECT_EQ(counts_text(first), counts_text(second));
}

INSTANTIATE_TEST_SUITE_P(Small, CensusBounds,
                         testing::Values(std::pair{synthesis::Bounds{4, 2, 2, 2, 0}, std::string("plain,fences")},
                                         std::pair{synthesis::Bounds{6, 2, 2, 1, 1},
                                                   std::string("R,W,L.gpu,N.gpu,L.cta,N.cta")},
                                         std::pair{synthesis::Bounds{5, 2, 2, 1, 1}, std::string("W,L.gpu,N.gpu,B")}));

TEST(Census, ShardsAddUpToTheWhole) {
  const synthesis::Bounds bounds{5, 2, 2, 2, 0};
  const Census whole = complete(fresh(bounds, "plain"));
  Census sum;
  for (std::uint64_t shard = 0; shard < 3; ++shard) {
    Census part = fresh(bounds, "plain");
    part.setting.shard = shard;
    part.setting.shards = 3;
    part = complete(std::move(part));
    if (shard == 0) {
      sum = std::move(part);
    } else {
      add(sum, part);
    }
  }
  sum.setting = whole.setting;
  EXPECT_EQ(log_of(sum), log_of(whole));
}

TEST(Census, GoesOnWhereALogEnds) {
  const synthesis::Bounds bounds{5, 2, 2, 2, 0};
  const Census whole = complete(fresh(bounds, "plain"));
  Census census = fresh(bounds, "plain");
  int pauses = 0;
  while (!census.is_complete) {
    int programs = 0;
    ASSERT_EQ(continue_census(census, subjects(), [&] { return ++programs == 50; }), "");
    ASSERT_LT(++pauses, 1000);
    const auto read = census_of(log_of(census));
    ASSERT_TRUE(read);
    census = *read;
  }
  EXPECT_GT(pauses, 3);
  EXPECT_EQ(log_of(census), log_of(whole));
}

TEST(Census, FindsTheExamplesOfTheLiterature) {
  // definitions 5.3: the race of E1 is predictable, but in some runs neither happens-before nor GWCP reports it.
  Census census = fresh({7, 2, 2, 1, 1}, "W,L.gpu,N.gpu");
  count_programs(census, subjects(), {*synthesis::skeleton_named("Wx+Lk.gpu+Wx+Nk.gpu_Lk.gpu+Wx+Nk.gpu@0,1")});
  EXPECT_EQ(census.real_programs, 1U);
  EXPECT_GT(census.counts[0].of(Tally::MissedRuns), 0U) << "gwcp";
  EXPECT_EQ(census.counts[0].of(Tally::FirstFalse), 0U) << "gwcp";
  EXPECT_EQ(census.counts[0].of(Tally::MissedPrograms), 0U) << "gwcp finds it in another run";
  Census safe = fresh({6, 2, 2, 1, 1}, "W,L.gpu,N.gpu");
  count_programs(safe, subjects(), {*synthesis::skeleton_named("Lk.gpu+Wx+Nk.gpu_Lk.gpu+Wx+Nk.gpu@0,1")});
  EXPECT_EQ(safe.real_programs, 0U);
  EXPECT_EQ(safe.counts[0].of(Tally::RacyPrograms), 0U);
  EXPECT_EQ(safe.counts[3].of(Tally::RacyPrograms), 0U) << "hrf-indirect";
  EXPECT_EQ(safe.counts[5].of(Tally::UnknownPrograms), 1U) << "sc has no races";
}

TEST(Census, InvalidLogsAreRefused) {
  const std::string log = log_of(complete(fresh({3, 2, 2, 1, 0}, "plain")));
  ASSERT_TRUE(census_of(log));
  EXPECT_FALSE(census_of(""));
  EXPECT_FALSE(census_of(log.substr(0, log.size() / 2)));
  EXPECT_FALSE(census_of("ambit-exhaust 2\n" + log.substr(log.find('\n') + 1)));
}

}  // namespace
}  // namespace ambit::study
