#include "report/results/crossval.h"
#include "report/json/json.h"
#include "report/text/result_texts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace ambit::report {
namespace {

using testing::HasSubstr;
using testing::Not;

/// A row for a racy test. The model ptx reports the race, and one detector does not. The results of sc are incomplete.
CrossRow row() {
  CrossRow result;
  result.number = 4;
  result.file = "t.litmus";
  result.test = "t";
  result.label = "race";
  result.device = "GPU <1>";
  result.seed = 9;
  result.runs = 1000;
  result.histogram = {
      {"P1:r0 == 0", 900, {"ptx", "sc"}, {}}, {"P1:r0 == 1", 93, {"ptx", "sc"}, {}}, {"P1:r0 == 2", 7, {"ptx"}, {}}};
  result.recorded = 64;
  result.traces = 2;
  result.models = {{"ptx", true, 4, true, 0, {}}, {"sc", std::nullopt, 3, false, 0, {}}};
  result.detectors = {{"gwcp", 2}, {"scord", 0}};
  result.count_outcomes();
  return result;
}

CrossRow row_with_forbidden() {
  CrossRow result = row();
  result.histogram[2].allowed_by = {};
  result.histogram[2].forbidden_by = {"ptx"};
  result.count_outcomes();
  return result;
}

/// Like row(), but all verdicts are known: the row lacks the incomplete results of sc.
CrossRow closed_row() {
  CrossRow result = row();
  result.models.pop_back();
  for (CrossOutcome& one : result.histogram) one.allowed_by = {"ptx"};
  result.count_outcomes();
  return result;
}

TEST(Crossval, OutcomesAreCountedForEachModel) {
  EXPECT_EQ(row().outcomes, 3U);
  EXPECT_EQ(row().models[0].seen, 3U);
  EXPECT_EQ(row().models[1].seen, 2U);
  const CrossRow bad = row_with_forbidden();
  EXPECT_EQ(bad.models[0].seen, 2U);
  EXPECT_EQ(bad.models[0].forbidden, std::vector<std::string>{"P1:r0 == 2 (7 of 1000 runs)"});
  EXPECT_TRUE(bad.models[1].forbidden.empty());
}

TEST(Crossval, RowsReadBackAsWritten) {
  CrossRow other = row_with_forbidden();
  other.witness = "ambit-trace 1\n";
  other.witness_detector = "gwcp";
  other.detectors[0].sentences = {"b0t0 writes x"};
  other.error = "no \"device\"";
  for (const CrossRow& one : {row(), other}) {
    const auto read = read_crossval(crossval_json(one));
    ASSERT_TRUE(read);
    EXPECT_EQ(crossval_json(*read), crossval_json(one));
    EXPECT_EQ(read->has_forbidden(), one.has_forbidden());
    EXPECT_EQ(read->is_open(), one.is_open());
  }
}

TEST(Crossval, MissingAnswersAreOpen) {
  EXPECT_TRUE(row().is_open()) << "sc is incomplete";
  CrossRow closed = row();
  closed.models[1].is_complete = true;
  EXPECT_FALSE(closed.is_open());
  CrossRow failed = closed;
  failed.error = "no device";
  EXPECT_TRUE(failed.is_open());
  CrossRow not_run = closed;
  not_run.in_gpu = {{"scord", 0, 0, 0, 0, 0, 0, {}, "too many threads"}};
  EXPECT_TRUE(not_run.is_open());
}

/// The recorded runs have a race. Inside the kernel, gwcp saw no race, scord saw a race in half of its runs, and iguard
/// has no verdict.
CrossRow row_in_gpu() {
  CrossRow result = row();
  result.in_gpu = {{"gwcp", 100, 10, 0, 0, 0, 0.5, {}, ""},
                   {"scord",
                    100,
                    0,
                    0,
                    50,
                    2,
                    0.5,
                    {{"b0t0 writes x (t.litmus:4)", "b1t0 reads x (t.litmus:8)", "missing fence", 50}},
                    ""},
                   {"iguard", 100, 0, 7, 0, 0, 0.5, {}, ""},
                   {"haccrg", 0, 0, 0, 0, 0, 0, {}, "the test has 65 threads"}};
  return result;
}

// scord gave up in one of two traces, so scord has no verdict on the test. gwcp has found a race.
TEST(Crossval, ADetectorThatGaveUpOnRecordedRunsHasNoVerdict) {
  CrossRow open = closed_row();
  ASSERT_FALSE(open.is_open());
  for (CrossDetector& one : open.detectors) one.without_verdict = 1;
  open.detectors[0].racy = 1;  // gwcp found a race in the other trace
  EXPECT_TRUE(open.is_open());
  EXPECT_EQ(race_verdict(open, open.detectors[0]), std::optional(true));
  EXPECT_EQ(race_verdict(open, open.detectors[1]), std::nullopt);
  const std::string text = crossval_text(std::vector{open}, {});
  EXPECT_THAT(text, HasSubstr("race (1 open)  ? (1 open)"));
  EXPECT_THAT(text, HasSubstr("as labelled: ptx 1/1, gwcp 1/1\n"));
  const auto read = read_crossval(crossval_json(open));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->detectors[1].without_verdict, 1U);
  EXPECT_THAT(crossval_json(row()), Not(HasSubstr("without_verdict")));
}

TEST(Crossval, RowsWithDetectorsInTheKernelReadBackAsWritten) {
  const auto read = read_crossval(crossval_json(row_in_gpu()));
  ASSERT_TRUE(read);
  EXPECT_EQ(crossval_json(*read), crossval_json(row_in_gpu()));
  ASSERT_EQ(read->in_gpu.size(), 4U);
  EXPECT_EQ(read->in_gpu[1].races[0].kind, "missing fence");
  EXPECT_EQ(read->in_gpu[3].not_run, "the test has 65 threads");
}

// If the number of runs without a verdict were larger than the number of runs, the number of judged runs would be
// negative. Such a line in a log is an error.
TEST(Crossval, CountsOfDetectorsInTheKernelMustAddUp) {
  CrossRow bad = row_in_gpu();
  bad.in_gpu[2].without_verdict = 101;
  EXPECT_FALSE(read_crossval(crossval_json(bad)));
  bad = row_in_gpu();
  bad.in_gpu[0].racy = 91;  // 10 of its 100 runs were left out
  EXPECT_FALSE(read_crossval(crossval_json(bad)));
}

TEST(Crossval, ADetectorInTheKernelIsNextToItsTwin) {
  std::vector<std::string> titles;
  for (const CrossJudge& judge : row_in_gpu().judges()) titles.push_back(judge.title);
  EXPECT_EQ(titles, (std::vector<std::string>{"ptx", "sc", "gwcp", "gwcp in GPU", "scord", "scord in GPU",
                                              "iguard in GPU", "haccrg in GPU"}));
}

// The label of the test is "race". On recorded runs, gwcp saw a race and scord saw no race; in the kernel, the reverse.
// iguard saw no race, but did not judge 7 runs. haccrg did not run. So iguard and haccrg have no verdict.
TEST(Crossval, TheTextHasTheKernelsResults) {
  const std::string text = crossval_text(std::vector{row_in_gpu()}, {});
  EXPECT_THAT(text, HasSubstr("  race  - !          - !    some          ? (7 open)     ?  "));
  EXPECT_THAT(text, HasSubstr("as labelled: ptx 1/1, gwcp 1/1, gwcp in GPU 0/1, scord 0/1, scord in GPU 1/1\n"));
  EXPECT_THAT(
      text, HasSubstr("gwcp in GPU as on recorded runs: 0/1 (not t)\nscord in GPU as on recorded runs: 0/1 (not t)\n"));
  EXPECT_THAT(text, HasSubstr("t: haccrg did not run inside the GPU: the test has 65 threads\n"));
  CrossRow every = row_in_gpu();
  every.in_gpu[1].racy = 100;
  EXPECT_THAT(crossval_text(std::vector{every}, {}), HasSubstr("every"));
  EXPECT_THAT(crossval_text(std::vector{row()}, {}), Not(HasSubstr("in the GPU")));
}

TEST(Crossval, AgreementOfTheTwoIsCounted) {
  CrossRow same = row_in_gpu();
  same.in_gpu[0].racy = 1;
  same.test = "u";
  CrossRow unrecorded = row_in_gpu();
  unrecorded.traces = 0;  // there is nothing to compare with
  std::string text = crossval_text(std::vector{row_in_gpu(), same, unrecorded}, {});
  EXPECT_THAT(text, HasSubstr("gwcp in GPU as on recorded runs: 1/2 (not t)\n"));
  EXPECT_THAT(text, HasSubstr("scord in GPU as on recorded runs: 0/2 (not t, u)\n"));
  const std::vector<CrossRow> many(5, row_in_gpu());
  EXPECT_THAT(crossval_text(many, {}), HasSubstr("gwcp in GPU as on recorded runs: 0/5 (not t, t, t and 2 more)\n"));
  EXPECT_THAT(crossval_text(std::vector{row()}, {}), Not(HasSubstr("as on recorded runs")));
}

// Two tests are racy, and one test is race-free. In the kernel, scord misses the race of one racy test and reports a
// race in the race-free test.
TEST(Crossval, MissedRacesAndFalsePositivesAreCounted) {
  CrossRow missed = row_in_gpu();
  missed.in_gpu[1].racy = 0;
  CrossRow alarm = row_in_gpu();
  alarm.label = "norace";
  for (const CrossScore& one : scores(std::vector{row_in_gpu(), missed, alarm})) {
    if (one.title != "scord in GPU") continue;
    EXPECT_EQ(one.kind, CrossScore::Kind::InGpu);
    EXPECT_EQ(one.labelled, 3U);
    EXPECT_EQ(one.as_labelled, 1U);
    EXPECT_EQ(one.missed, 1U);
    EXPECT_EQ(one.false_alarms, 1U);
    EXPECT_EQ(one.differing, (std::vector<std::size_t>{0, 2}));  // on recorded runs scord never reports a race
    return;
  }
  FAIL() << "no score";
}

TEST(Crossval, TheRacesOfMostRunsAreKept) {
  Detections found;
  found.races = {{"a", "b", "k", 5}, {"c", "d", "k", 9}, {"e", "f", "k", 7}};
  found.uncounted = 1;
  keep_most_frequent(found, 2);
  ASSERT_EQ(found.races.size(), 2U);
  EXPECT_EQ(found.races[0].first, "c");
  EXPECT_EQ(found.races[1].first, "e");
  EXPECT_EQ(found.uncounted, 6U);
  keep_most_frequent(found, 4);
  EXPECT_EQ(found.races.size(), 2U);
}

// Each case makes a valid line impossible: its counts or outcomes contradict each other.
TEST(Crossval, ALineWithImpossibleCountsIsNotARow) {
  const auto complaint = [](const std::string& from, const std::string& to) {
    std::string text = crossval_json(row());
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    std::string why = "it was read";
    return read_crossval(text.replace(at, from.size(), to), &why) ? "" : why;
  };
  EXPECT_EQ(complaint("\"seed\":9", "\"seed\":8"), "");
  EXPECT_EQ(complaint("\"number\":4", "\"number\":1.7"), "'number' is not a count");
  EXPECT_EQ(complaint("\"runs\":1000,", "\"runs\":-1,"), "'runs' is not a count");
  EXPECT_EQ(complaint("\"runs\":1000,", "\"runs\":1e300,"), "'runs' is not a count");
  EXPECT_EQ(complaint("\"runs\":1000,", "\"runs\":1180591620717411303424,"), "'runs' is not a count");  // 2^70
  EXPECT_EQ(complaint("\"runs\":1000,", "\"runs\":999,"), "more runs are counted than there were");
  EXPECT_EQ(complaint("\"runs\":1000,", "\"runs\":18446744073709551615,"), "too many runs for any GPU");
  EXPECT_EQ(complaint("\"runs\":900", "\"runs\":true"), "'runs' is not a count");
  EXPECT_EQ(complaint("\"label\":\"race\"", "\"label\":\"banana\""), "'label' is neither race nor norace");
  EXPECT_EQ(complaint("\"racy\":2", "\"racy\":3"), "gwcp counts more traces than there are");
  EXPECT_EQ(complaint("\"weak\":0", "\"weak\":63"), "more recorded runs are counted than there were");
  EXPECT_EQ(complaint("[\"ptx\"]", "[\"tso\"]"), "an outcome names tso, which is not one of the models");
  EXPECT_EQ(complaint("[\"ptx\"]", "[]"), "an outcome does not say whether ptx allows it");
  EXPECT_EQ(complaint("[\"ptx\"],\"forbidden\":[]", "[\"ptx\"],\"forbidden\":[\"ptx\"]"),
            "ptx both allows and forbids an outcome");
  EXPECT_EQ(complaint("P1:r0 == 1", "P1:r0 == 0"), "duplicate outcome P1:r0 == 0");
  EXPECT_EQ(complaint("\"outcomes\":3", "\"outcomes\":4"), "'outcomes' is not the number of outcomes");
  EXPECT_EQ(complaint("\"allowed\":4", "\"allowed\":2"), "ptx allows fewer outcomes than were seen");
}

TEST(Crossval, OtherTextIsNotARow) {
  EXPECT_FALSE(read_crossval("{}"));
  EXPECT_FALSE(read_crossval(""));
  EXPECT_FALSE(read_crossval(crossval_json(row()).substr(0, 40)));
}

TEST(Crossval, TheTextMarksWhatDisagreesWithTheLabel) {
  const std::vector<CrossRow> rows = {row()};
  const std::string text = crossval_text(rows, {});
  EXPECT_THAT(text, HasSubstr("3/4 2/3+"));
  EXPECT_THAT(text, HasSubstr("- !"));  // scord sees nothing in a racy test
  EXPECT_THAT(text, HasSubstr("as labelled: ptx 1/1, gwcp 1/1, scord 0/1"));
  EXPECT_THAT(text, Not(HasSubstr("FORBIDDEN")));
}

TEST(Crossval, ForbiddenOutcomesComeFirst) {
  const std::vector<CrossRow> rows = {row(), row_with_forbidden()};
  EXPECT_TRUE(crossval_text(rows, {}).starts_with(
      "FORBIDDEN  t: ptx forbids P1:r0 == 2 (7 of 1000 runs); it calls the test racy\n"));
}

// The label of the test is "race". If neither detector has seen the race, it may be in the unchecked runs.
TEST(Crossval, RunsThatNoDetectorCheckedLeaveNoVerdict) {
  CrossRow closed = closed_row();
  ASSERT_FALSE(closed.is_open());
  EXPECT_EQ(race_verdict(closed, closed.detectors[1]), std::optional(false));
  CrossRow weak = closed;
  weak.weak = 1;
  CrossRow unrecorded = closed;
  unrecorded.incidents.unrecorded = 1;
  CrossRow empty = closed;
  empty.traces = 0;
  for (const CrossRow& one : {weak, unrecorded, empty}) {
    EXPECT_EQ(race_verdict(one, one.detectors[1]), std::nullopt);
    EXPECT_TRUE(one.is_open());
  }
  EXPECT_EQ(race_verdict(weak, weak.detectors[0]), std::optional(true));
  EXPECT_THAT(crossval_text(std::vector{weak}, {}), HasSubstr("race  race  ?      1000"));
  // 100 runs inside the kernel, none of them with a verdict.
  CrossRow in_gpu = closed;
  in_gpu.in_gpu = {{"scord", 100, 0, 100, 0, 0, 0.5, {}, ""}};
  EXPECT_TRUE(in_gpu.is_open());
}

// Older versions of Ambit did not record how runs without an outcome ended.
TEST(Crossval, UnaccountedRunsAreNamed) {
  CrossRow old = closed_row();
  old.runs = 1003;
  old.count_outcomes();
  EXPECT_EQ(old.unaccounted(), 3U);
  EXPECT_TRUE(old.is_open());
  EXPECT_THAT(crossval_text(std::vector{old}, {}), HasSubstr("t: 3 of 1003 runs have no recorded end\n"));
}

// After the runs were recorded, the launch hung. So Ambit replayed none of the recorded runs.
TEST(Crossval, RecordedRunsOfAFailedTestWereNotReplayed) {
  CrossRow hang = closed_row();
  hang.error = "a hang";
  hang.traces = 0;
  hang.detectors = {};
  const auto read = read_crossval(crossval_json(hang));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->incidents.unrecorded, 64U);
}

TEST(Crossval, RunsWithoutAnOutcomeAreNamed) {
  CrossRow odd = row();
  odd.runs = 1010;
  odd.incidents = {1, 2, 7, 5, 6, {"memory for 8 instances only"}};
  odd.count_outcomes();
  const std::string text = crossval_text(std::vector{odd}, {});
  EXPECT_THAT(text, HasSubstr("t: 1 of 1010 runs ended in a deadlock"));
  EXPECT_THAT(text, HasSubstr("t: 2 of 1010 runs stopped at the bound on steps"));
  EXPECT_THAT(text, HasSubstr("t: 7 of 1010 runs do not count"));
  EXPECT_THAT(text, HasSubstr("t: 5 of 1015 runs were not counted"));
  EXPECT_THAT(text, HasSubstr("t: 6 of 64 recorded runs were not replayed to detectors"));
  EXPECT_THAT(text, HasSubstr("t: memory for 8 instances only"));
  const auto read = read_crossval(crossval_json(odd));
  ASSERT_TRUE(read);
  EXPECT_EQ(crossval_json(*read), crossval_json(odd));
  EXPECT_EQ(read->incidents.uncounted, 5U);
  // If there are no deadlocks, the row has no field `deadlocks`. So older files can be read and merged unchanged.
  EXPECT_THAT(crossval_json(row()), Not(HasSubstr("deadlocks")));
  EXPECT_EQ(odd.unaccounted(), 0U);
  // One of the uncounted runs may have had a forbidden outcome.
  CrossRow full = closed_row();
  ASSERT_FALSE(full.is_open());
  full.incidents.uncounted = 1;
  EXPECT_TRUE(full.is_open());
}

// If a test did not finish, Ambit does not replay its recorded runs. The test still has all columns of the table.
TEST(Crossval, ATestThatWasNotJudgedByAllKeepsItsColumns) {
  CrossRow hung = row();
  hung.test = "h";
  hung.error = "the launch was abandoned";
  hung.detectors.clear();
  CrossRow unasked = row();
  unasked.models.clear();
  unasked.count_outcomes();
  for (const auto& rows : {std::vector{hung, row(), unasked}, std::vector{unasked, row(), hung}}) {
    EXPECT_EQ(judge_titles(rows), (std::vector<std::string>{"ptx", "sc", "gwcp", "scord"}));
    const std::string text = crossval_text(rows, {});
    EXPECT_THAT(text, HasSubstr("h     race   race                   1000"));
    EXPECT_THAT(text, HasSubstr("h: the launch was abandoned\n"));
  }
}

TEST(Crossval, ADetectorWithoutTracesHasNoVerdict) {
  CrossRow none = row();
  none.traces = 0;
  EXPECT_THAT(crossval_text(std::vector{none}, {}), Not(HasSubstr("gwcp 1/1")));
}

}  // namespace
}  // namespace ambit::report
