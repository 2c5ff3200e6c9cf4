#include "report/results/validation.h"
#include "report/json/json.h"
#include "report/text/result_texts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace ambit::report {
namespace {

using events::Possibility;
using ::testing::HasSubstr;
using ::testing::Not;

ValidationFinding finding(const std::vector<bool>& racy) {
  ValidationFinding made;
  for (const bool is_racy : racy) {
    made.racy.emplace_back(is_racy);
    made.racy_runs += is_racy ? 1 : 0;
  }
  return made;
}

/// Returns the results of a detector in two runs. In the first run, its answer is `first`. In the second run, the
/// detector gave up.
ValidationFinding open_finding(std::optional<bool> first) {
  ValidationFinding made;
  made.racy = {first, std::nullopt};
  made.racy_runs = first.value_or(false) ? 1 : 0;
  made.is_open = true;
  return made;
}

/// Returns a test with two runs. `d` and `e` are the results of the detectors d and e in each run.
ValidationTest sample_test(const std::string& name, std::optional<bool> label, const std::vector<bool>& d,
                           const std::vector<bool>& e) {
  ValidationTest test;
  test.file = name + ".litmus";
  test.name = name;
  test.label = label;
  test.runs = 2;
  test.runs_are = "all schedules that differ";
  test.schedules = {"P0 x2, P1", "P1, P0 x2"};
  test.findings = {finding(d), finding(e)};
  test.verdicts = {{Possibility::Possible, "because of m"}};
  return test;
}

Validation sample_validation() {
  Validation validation;
  validation.suite = "suite";
  validation.detectors = {"d", "e"};
  validation.models = {"m"};
  validation.tests.push_back(sample_test("both", true, {true, true}, {true, false}));
  validation.tests.back().predictable_runs = 2;
  validation.tests.push_back(sample_test("neither", true, {false, false}, {false, false}));
  validation.tests.back().unordered_runs = 1;
  validation.tests.push_back(sample_test("alarm", false, {false, true}, {false, false}));
  validation.tests.push_back(sample_test("silent", false, {false, false}, {false, false}));
  validation.tests.back().findings[1].not_judged = "too large";
  validation.tests.back().verdicts[0].race = Possibility::Unknown;
  return validation;
}

TEST(ValidationCounts, AgainstTheLabelATestIsFoundInAnyRun) {
  const Validation validation = sample_validation();
  const ValidationCounts d = count(validation, 0, Against::Label);
  EXPECT_EQ(d.true_positives, 1U);   // The test `both`.
  EXPECT_EQ(d.in_every_run, 1U);     // The test `both`.
  EXPECT_EQ(d.false_negatives, 1U);  // The test `neither`.
  EXPECT_EQ(d.false_positives, 1U);  // The test `alarm`: d reports a race in one of two runs.
  EXPECT_EQ(d.true_negatives, 1U);   // The test `silent`.
  EXPECT_EQ(d.not_judged, 0U);
  const ValidationCounts e = count(validation, 1, Against::Label);
  EXPECT_EQ(e.true_positives, 1U);
  EXPECT_EQ(e.in_every_run, 0U);    // In the test `both`, e reports no race in the second run.
  EXPECT_EQ(e.true_negatives, 1U);  // The test `alarm`; the test `silent` lacks an answer.
  EXPECT_EQ(e.not_judged, 1U);
}

TEST(ValidationCounts, AgainstTheOracleBothOfItsClassesAreRacyAndOpenTestsDoNotCount) {
  Validation validation = sample_validation();
  ValidationCounts d = count(validation, 0, Against::Oracle);
  EXPECT_EQ(d.true_positives, 1U);   // The test `both` is predictable.
  EXPECT_EQ(d.false_negatives, 1U);  // The test `neither` is unordered.
  EXPECT_EQ(d.false_positives, 1U);
  validation.tests[2].oracle_is_open = true;  // The test `alarm` may have a race.
  d = count(validation, 0, Against::Oracle);
  EXPECT_EQ(d.false_positives, 0U);
  EXPECT_EQ(d.true_positives + d.false_negatives + d.true_negatives, 3U);
}

// If a detector gave up without a report, the test is neither a false negative nor a true negative.
TEST(ValidationCounts, GivingUpIsNotSilence) {
  Validation validation = sample_validation();
  validation.tests[0].findings[0] = open_finding(true);   // The test `both`: one run shows the race.
  validation.tests[1].findings[0] = open_finding(false);  // The test `neither`.
  validation.tests[3].findings[0] = open_finding(false);  // The test `silent`.
  ValidationCounts d = count(validation, 0, Against::Label);
  EXPECT_EQ(d.true_positives, 1U);
  EXPECT_EQ(d.in_every_run, 0U);
  EXPECT_EQ(d.false_positives, 1U);  // The test `alarm`.
  EXPECT_EQ(d.false_negatives + d.true_negatives, 0U);
  EXPECT_EQ(d.not_known, 2U);
  EXPECT_EQ(d.not_judged, 0U);
  const std::string notes = validation_notes(validation);
  EXPECT_THAT(notes, HasSubstr("  neither (label: race)\n    norace by the detectors e\n"));
}

// Suppose that a detector did not check all runs. If it reports nothing, this is no true negative; if it reports a
// race, the race counts. A race that a detector finds in the program, not in a run, counts even without runs.
TEST(ValidationCounts, RunsThatAreNotAllAreNotSilence) {
  Validation validation = sample_validation();
  for (ValidationTest& test : validation.tests) test.incomplete = "a bound was hit";
  validation.tests[1].runs = 0;
  validation.tests[1].findings[1] = finding({});
  validation.tests[1].findings[1].is_racy_program = true;
  const ValidationCounts d = count(validation, 0, Against::Label);
  EXPECT_EQ(d.true_positives, 1U);   // The test `both`.
  EXPECT_EQ(d.false_positives, 1U);  // The test `alarm`.
  EXPECT_EQ(d.not_known, 2U);        // The tests `neither` and `silent`.
  const ValidationCounts e = count(validation, 1, Against::Label);
  EXPECT_EQ(e.true_positives, 2U);  // The tests `both` and `neither`.
  EXPECT_EQ(e.in_every_run, 1U);    // The test `neither` has no runs.
  EXPECT_EQ(e.not_known, 1U);       // The test `alarm`.
  const std::string text = validation_text(validation, Style{});
  EXPECT_THAT(text, HasSubstr("silent   norace      2  ? -  .  ?\n"));
  EXPECT_THAT(text, Not(HasSubstr("norace by the detectors")));
}

TEST(ValidationCounts, AnOracleThatFoundARaceNeedNotFinish) {
  Validation validation = sample_validation();
  validation.tests[0].oracle_is_open = true;
  EXPECT_EQ(count(validation, 0, Against::Oracle).true_positives, 1U);
}

TEST(ValidationCounts, TestsWithoutLabelWithErrorOrNotRunDoNotCount) {
  Validation validation = sample_validation();
  validation.tests[0].label.reset();
  validation.tests[1].error = "x.litmus:1:1: error: no";
  validation.tests[2].was_run = false;
  const ValidationCounts d = count(validation, 0, Against::Label);
  EXPECT_EQ(d.true_positives + d.false_positives + d.false_negatives + d.not_judged, 0U);
  EXPECT_EQ(d.true_negatives, 1U);
}

TEST(ValidationCounts, NoRunIsNotEveryRun) {
  Validation validation = sample_validation();
  ValidationTest& test = validation.tests[0];
  test.runs = 0;
  test.findings = {finding({}), finding({})};
  EXPECT_EQ(count(validation, 0, Against::Label).in_every_run, 0U);
}

TEST(ValidationText, MarksAreInTheOrderOfDetectorsOracleModels) {
  Validation validation = sample_validation();
  validation.tests[3].oracle_is_open = true;
  validation.tests[3].findings[0].is_open = true;
  const std::string text = validation_text(validation, Style{});
  const std::string heads =
      "                        d\n"
      "                        | e\n"
      "                        | |  oracle\n"
      "                        | |  |  m\n"
      "test     label    runs  | |  |  |\n";
  EXPECT_THAT(text, HasSubstr(heads));
  EXPECT_THAT(text, HasSubstr("both     race        2  x ~  P  x\n"));
  EXPECT_THAT(text, HasSubstr("neither  race        2  . .  u  x\n"));
  EXPECT_THAT(text, HasSubstr("alarm    norace      2  ~ .  .  x\n"));
  EXPECT_THAT(text, HasSubstr("silent   norace      2  ? -  ?  ?\n"));
}

// The model does not define races, so its answer cannot disagree with the label.
TEST(ValidationText, AModelWithoutRacesDisagreesWithNothing) {
  Validation validation = sample_validation();
  for (ValidationTest& test : validation.tests) {
    test.verdicts[0] = {Possibility::Unknown, "", "the model does not define races"};
  }
  const std::string text = validation_text(validation, Style{});
  EXPECT_THAT(text, HasSubstr("both     race        2  x ~  P  -\n"));
  EXPECT_THAT(text, Not(HasSubstr("by the models")));
  const auto json = nlohmann::json::parse(validation_json(validation, "1.2.3"));
  EXPECT_EQ(json["tests"][0]["models"][0]["race"], nullptr);
  EXPECT_EQ(json["tests"][0]["models"][0]["not_judged"], "the model does not define races");
}

TEST(ValidationText, RacesOfSomeSchedulesWithOneInWhichTheyAreMissed) {
  const std::string text = validation_text(sample_validation(), Style{});
  EXPECT_THAT(text, HasSubstr("found in some schedules only\n"
                              "  both\n"
                              "    e: in 1 of 2 runs; not where P1, P0 x2\n"
                              "    because of m\n"
                              "  alarm\n"
                              "    d: in 1 of 2 runs; not where P0 x2, P1\n"));
}

TEST(ValidationText, DetectorsThatAreSilentInTheSameRunsShareALine) {
  Validation validation = sample_validation();
  validation.tests[0].findings[0] = finding({true, false});
  EXPECT_THAT(validation_notes(validation), HasSubstr("    d, e: in 1 of 2 runs; not where P1, P0 x2\n"));
  validation.tests[0].findings[0] = finding({false, true});
  EXPECT_THAT(validation_notes(validation), HasSubstr("    d: in 1 of 2 runs; not where P0 x2, P1\n"
                                                      "    e: in 1 of 2 runs; not where P1, P0 x2\n"));
}

TEST(ValidationText, WhereLabelModelAndDetectorDisagree) {
  const std::string text = validation_notes(sample_validation());
  EXPECT_THAT(text, HasSubstr("  neither (label: race)\n    norace by the detectors d, e\n"));
  EXPECT_THAT(text, HasSubstr("  alarm (label: norace)\n    race by the models m\n    race by the detectors d\n"
                              "    because of m\n"));
  // In the test `both`, every detector with an answer agrees with the label. An unknown verdict or a missing answer is
  // not a disagreement.
  EXPECT_THAT(text, Not(HasSubstr("both (label")));
  EXPECT_THAT(text, Not(HasSubstr("silent (label")));
}

TEST(ValidationText, RefutedFirstRacesByTheirClass) {
  Validation validation = sample_validation();
  EXPECT_THAT(validation_notes(validation),
              HasSubstr("the oracle refuted no first race that a detector claims to be real"));
  validation.tests[2].refuted = {{"d", 1, "P0 a:1 and P1 a:2 on x", true}, {"e", 0, "P0 a:3 and P1 a:4 on y", false}};
  const std::string text = validation_notes(validation);
  EXPECT_THAT(text, HasSubstr("no reordering brings together\n  alarm: P0 a:1 and P1 a:2 on x\n    d in run 1\n"));
  EXPECT_THAT(text,
              HasSubstr("\nfirst races that the oracle refutes\n  alarm: P0 a:3 and P1 a:4 on y\n    e in run 0\n"));
  EXPECT_THAT(text, Not(HasSubstr("refuted no detector")));
  validation.tests[2].refuted.pop_back();
  EXPECT_THAT(validation_notes(validation),
              HasSubstr("\nbesides these, the oracle refuted no first race that a detector claims to be real\n"));
}

TEST(ValidationText, UnmetExpectationsAndTestsThatWereCutOrNotRun) {
  Validation validation = sample_validation();
  validation.tests[0].unmet = {"expected d to report no race; it reported races in 2 of 2 runs"};
  validation.tests[1].incomplete = "there are more than 100000 runs";
  validation.tests[3].was_run = false;
  const std::string text = validation_text(validation, Style{});
  EXPECT_THAT(text, HasSubstr("not met\n  both: expected d to report no race; it reported races in 2 of 2 runs\n"));
  EXPECT_THAT(text, HasSubstr("there is no race\n  neither: there are more than 100000 runs\n"));
  EXPECT_THAT(text, HasSubstr("interrupted: 1 test was not run\n"));
  EXPECT_THAT(text, Not(HasSubstr("silent")));
}

TEST(ValidationJson, HasCountsTestsAndNullForUnknown) {
  Validation validation = sample_validation();
  validation.tests[1].label.reset();
  validation.tests[2].error = "bad";
  validation.tests[1].findings[1] = open_finding(false);
  const auto json = nlohmann::json::parse(validation_json(validation, "1.2.3"));
  EXPECT_EQ(json["ambit"], "1.2.3");
  EXPECT_EQ(json["suite"], "suite");
  EXPECT_EQ(json["detectors"][0]["detector"], "d");
  EXPECT_EQ(json["detectors"][0]["against_label"]["true_positives"], 1);
  const nlohmann::json& both = json["tests"][0];
  EXPECT_EQ(both["label"], "race");
  EXPECT_EQ(both["detectors"][0]["found"], "always");
  EXPECT_EQ(both["detectors"][1]["found"], "sometimes");
  EXPECT_EQ(both["detectors"][1]["racy_runs"], 1);
  EXPECT_EQ(both["models"][0]["race"], true);
  EXPECT_EQ(both["models"][0]["because"], "because of m");
  EXPECT_EQ(both["oracle"]["predictable_runs"], 2);
  EXPECT_EQ(json["tests"][1]["label"], nullptr);
  EXPECT_EQ(json["tests"][1]["detectors"][0]["found"], "never");
  EXPECT_EQ(json["tests"][1]["detectors"][1]["found"], "not known");
  EXPECT_EQ(json["tests"][1]["detectors"][1]["is_open"], true);
  EXPECT_EQ(json["tests"][2]["error"], "bad");
  EXPECT_FALSE(json["tests"][2].contains("detectors"));
  EXPECT_EQ(json["tests"][3]["detectors"][1]["found"], "not judged");
  EXPECT_EQ(json["tests"][3]["detectors"][1]["not_judged"], "too large");
  EXPECT_EQ(json["tests"][3]["models"][0]["race"], nullptr);
}

}  // namespace
}  // namespace ambit::report
