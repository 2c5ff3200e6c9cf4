#include "report/crossval.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace ambit::report {
namespace {

using testing::HasSubstr;
using testing::Not;

/// A racy test that ptx calls racy and one detector misses. sc is not known to forbid anything.
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
  result.weak = 1;
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
  }
}

TEST(Crossval, OtherTextIsNoRow) {
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

TEST(Crossval, ADetectorWithoutTracesHasNoVerdict) {
  CrossRow none = row();
  none.traces = 0;
  EXPECT_THAT(crossval_text(std::vector{none}, {}), Not(HasSubstr("gwcp 1/1")));
}

}  // namespace
}  // namespace ambit::report
