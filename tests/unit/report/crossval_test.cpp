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

/// A racy test that ptx calls racy and one detector misses.
CrossRow row() {
  CrossRow result;
  result.file = "t.litmus";
  result.test = "t";
  result.label = "race";
  result.device = "GPU <1>";
  result.runs = 1000;
  result.outcomes = 3;
  result.recorded = 64;
  result.traces = 2;
  result.weak = 1;
  result.models = {{"ptx", true, 4, true, 3, {}}, {"sc", std::nullopt, 3, false, 3, {}}};
  result.detectors = {{"gwcp", 2}, {"scord", 0}};
  return result;
}

SourceFilePtr file(const std::string& text) { return std::make_shared<const SourceFile>(SourceFile{"c.jsonl", text}); }

TEST(Crossval, RowsReadBackAsWritten) {
  CrossRow other = row();
  other.error = "no \"device\"";
  other.models[0].forbidden = {"P1:r0 == 1 (7 of 1000 runs)"};
  const auto read = read_crossval(file(crossval_json(row()) + "\n" + crossval_json(other) + "\n"));
  ASSERT_TRUE(read.ok()) << render(read.errors());
  ASSERT_EQ(read.value().size(), 2U);
  EXPECT_EQ(crossval_json(read.value()[0]), crossval_json(row()));
  EXPECT_EQ(crossval_json(read.value()[1]), crossval_json(other));
  EXPECT_FALSE(read.value()[0].has_forbidden());
  EXPECT_TRUE(read.value()[1].has_forbidden());
}

// A campaign that was killed while it wrote loses that line alone.
TEST(Crossval, ALastLineThatWasCutOffIsLeftOut) {
  const std::string line = crossval_json(row());
  const auto read = read_crossval(file(line + "\n" + line.substr(0, 40)));
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read.value().size(), 1U);
}

TEST(Crossval, AnyOtherBadLineIsAnError) {
  const auto read = read_crossval(file("{}\n" + crossval_json(row()) + "\n"));
  ASSERT_FALSE(read.ok());
  EXPECT_THAT(render(read.errors()), HasSubstr("c.jsonl:1:1: error: this line is no result of a campaign"));
}

TEST(Crossval, TheTextMarksWhatDisagreesWithTheLabel) {
  const std::vector<CrossRow> rows = {row()};
  const std::string text = crossval_text(rows, {});
  EXPECT_THAT(text, HasSubstr("3/4 3/3+"));
  EXPECT_THAT(text, HasSubstr("- !"));  // scord sees nothing in a racy test
  EXPECT_THAT(text, HasSubstr("as labelled: ptx 1/1, gwcp 1/1, scord 0/1"));
  EXPECT_THAT(text, Not(HasSubstr("FORBIDDEN")));
}

TEST(Crossval, ForbiddenOutcomesComeFirst) {
  CrossRow bad = row();
  bad.models[0].forbidden = {"P1:r0 == 1 (7 of 1000 runs)"};
  const std::vector<CrossRow> rows = {row(), bad};
  EXPECT_TRUE(crossval_text(rows, {}).starts_with("FORBIDDEN  t: ptx forbids P1:r0 == 1 (7 of 1000 runs)\n"));
}

TEST(Crossval, ADetectorWithoutTracesHasNoVerdict) {
  CrossRow none = row();
  none.traces = 0;
  EXPECT_THAT(crossval_text(std::vector{none}, {}), Not(HasSubstr("gwcp 1/1")));
}

TEST(Crossval, ThePageEscapesNames) { EXPECT_THAT(crossval_html(std::vector{row()}), HasSubstr("GPU &lt;1&gt;")); }

}  // namespace
}  // namespace ambit::report
