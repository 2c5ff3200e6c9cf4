#include "report/results/validation_scores.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/text/result_texts.h"

namespace ambit::report {
namespace {

using ::testing::HasSubstr;

ValidationFinding scored_finding(const std::vector<std::optional<bool>>& racy) {
  ValidationFinding made;
  made.racy = racy;
  for (const auto& one : racy) {
    made.racy_runs += one.value_or(false) ? 1 : 0;
    made.is_open = made.is_open || !one;
  }
  return made;
}

ValidationTest test_of(const std::string& name, bool label, const std::vector<std::uint64_t>& events,
                       const std::vector<std::optional<bool>>& d, const std::vector<std::optional<bool>>& e) {
  ValidationTest test;
  test.file = name + ".litmus";
  test.name = name;
  test.label = label;
  test.runs = events.size();
  test.run_events = events;
  for (std::uint64_t i = 0; i < events.size(); ++i) test.run_numbers.push_back(10 + i);
  test.findings = {scored_finding(d), scored_finding(e)};
  return test;
}

Validation sample() {
  Validation validation;
  validation.detectors = {"d", "e(x_y=1)"};
  validation.detector_words = {"d", "e"};
  validation.detector_options = {"", " -O e.x_y=1"};
  validation.tests = {test_of("large", true, {20, 30}, {true, true}, {false, true}),
                      test_of("small", true, {9, 7}, {false, false}, {false, true}),
                      test_of("alarm", false, {5}, {true}, {std::nullopt})};
  validation.tests[0].oracle_kinds.set(static_cast<std::size_t>(RaceKind::MissingFence));
  validation.tests[0].oracle_levels.set(static_cast<std::size_t>(RaceLevel::Device));
  validation.tests[0].findings[0].first_races = {.real = 1, .refuted = 1};
  return validation;
}

TEST(ValidationScores, PrecisionAndRecallAreByTheLabel) {
  const Validation validation = sample();
  const DetectorScore d = score_of(validation, 0);
  EXPECT_EQ(d.precision.value(), 0.5);  // d has one true positive (the test `large`) and one false positive
  EXPECT_EQ(d.recall.value(), 0.5);
  EXPECT_EQ(d.recall_in_every_run.value(), 0.5);
  EXPECT_EQ(d.racy_runs.part, 2U);
  EXPECT_EQ(d.racy_runs.whole, 4U);
  EXPECT_EQ(d.first_races.real, 1U);
  EXPECT_EQ(d.first_races.refuted, 1U);
  const DetectorScore e = score_of(validation, 1);
  EXPECT_EQ(e.precision.value(), 1.0);  // e gave up on the third test
  EXPECT_EQ(e.recall.value(), 1.0);
  EXPECT_EQ(e.recall_in_every_run.value(), 0.0);
}

TEST(ValidationScores, AShareOfNothingHasNoValue) {
  EXPECT_FALSE(Share{}.value());
  EXPECT_EQ(wilson_interval({}).low, 0.0);
  EXPECT_EQ(wilson_interval({}).high, 1.0);
}

// The expected values are from Newcombe 1998, Statistics in Medicine 17, table I, method 3.
TEST(ValidationScores, TheIntervalIsWilsons) {
  const auto is = [](Share share, double low, double high) {
    EXPECT_NEAR(wilson_interval(share).low, low, 5e-5);
    EXPECT_NEAR(wilson_interval(share).high, high, 5e-5);
  };
  is({81, 263}, 0.2553, 0.3662);
  is({15, 148}, 0.0624, 0.1605);
  is({0, 20}, 0.0, 0.1611);
  is({1, 29}, 0.0061, 0.1718);
}

TEST(ValidationScores, TheSmallestRunInWhichTwoDetectorsDifferIsNamed) {
  const Validation validation = sample();
  const std::vector<Difference> all = differences(validation);
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].reports, 1U);
  EXPECT_EQ(all[0].silent, 0U);
  EXPECT_EQ(all[0].tests, 2U);
  EXPECT_EQ(all[0].test, 1U);  // "small"; the answer for the run with 5 events is unknown
  EXPECT_EQ(all[0].run, 1U);
  EXPECT_EQ(all[0].events, 7U);
  EXPECT_EQ(replay_command(validation, validation.tests[1], 1, {1, 0}),
            "ambit detect small.litmus --only-run 11 --detector e,d -O e.x_y=1");
}

TEST(ValidationScores, TestsAreSortedByWhatTheOracleFinds) {
  const std::vector<SortScore> kinds = scores_by_kind(sample());
  ASSERT_EQ(kinds.size(), 1U);
  EXPECT_EQ(kinds[0].sort, "missing fence");
  EXPECT_EQ(kinds[0].tests, 1U);
  EXPECT_EQ(kinds[0].found[0].in_every_run, 1U);
  EXPECT_EQ(kinds[0].found[1].in_some_run, 1U);
  EXPECT_EQ(kinds[0].found[1].in_every_run, 0U);
  EXPECT_EQ(scores_by_level(sample()).front().sort, "device");
}

TEST(ValidationScores, FormsSayTheSame) {
  const Validation validation = sample();
  EXPECT_THAT(scores_text(validation), HasSubstr("\n  missing fence      1  1     1 (0)\n"));
  EXPECT_THAT(scores_csv(validation), HasSubstr("kinds,missing fence,e(x_y=1),1 (0)\n"));
  EXPECT_THAT(scores_csv(validation), HasSubstr("scores,d,precision,50.0\n"));
  EXPECT_THAT(scores_latex(validation), HasSubstr("  kind & tests & d & e(x\\_y=1) \\\\\n"));
}

TEST(ValidationScores, OnlySamplesHaveAnInterval) {
  Validation validation = sample();
  EXPECT_EQ(scores_csv(validation).find("95 %"), std::string::npos);
  validation.is_sampled = true;
  EXPECT_THAT(scores_csv(validation), HasSubstr("scores,d,95 % from,15.0\n"));
}

}  // namespace
}  // namespace ambit::report
