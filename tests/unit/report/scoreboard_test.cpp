#include "report/results/scoreboard.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "report/html/scoreboard_page.h"
#include "report/json/json.h"
#include "report/text/scoreboard_text.h"

namespace ambit::report {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using Answer = ToolRow::Answer;

ValidationTest labelled(const std::string& name, std::optional<bool> label, std::optional<bool> report) {
  ValidationTest test;
  test.file = "suite/" + name + ".litmus";
  test.name = name;
  test.label = label;
  test.runs = 1;
  ValidationFinding finding;
  finding.racy = {report};
  finding.racy_runs = report.value_or(false) ? 1 : 0;
  finding.is_open = !report.has_value();
  test.findings = {finding};
  return test;
}

/// Three tests are racy: the detector finds one, misses one and gives up on one. Two tests are race-free: the detector
/// reports one of them as racy. One test has no label.
Validation labelled_sample() {
  Validation validation;
  validation.suite = "suite";
  validation.detectors = {"scord"};
  validation.tests = {labelled("found", true, true),    labelled("missed", true, false),
                      labelled("open", true, {}),       labelled("false", false, true),
                      labelled("silent", false, false), labelled("unlabelled", {}, true)};
  return validation;
}

ToolRow row(std::uint64_t number, const std::string& name, Answer answer) {
  return {.number = number, .file = "suite/" + name + ".litmus", .test = name, .answer = answer};
}

TEST(Scoreboard, ADetectorsFigureCountsLabelledTestsWithAnAnswer) {
  const ScoreboardFigure figure = figure_of(labelled_sample(), 0);
  EXPECT_EQ(figure.racy, 2u);
  EXPECT_EQ(figure.found, 1u);
  EXPECT_EQ(figure.race_free, 2u);
  EXPECT_EQ(figure.false_positives, 1u);
  EXPECT_EQ(figure.no_answer, 1u);
}

TEST(Scoreboard, TheSuiteCountsItsLabels) {
  Validation validation = labelled_sample();
  validation.tests.push_back(labelled("not run", true, true));
  validation.tests.back().was_run = false;
  const ScoreboardSuite suite = scoreboard_suite(validation);
  EXPECT_EQ(suite.racy, 3u);
  EXPECT_EQ(suite.race_free, 2u);
  EXPECT_EQ(suite.not_run, 1u);
}

TEST(Scoreboard, AToolsRowsBelongToTheSuiteByFileAndName) {
  std::vector<ToolRow> rows = {row(0, "found", Answer::Race), row(1, "missed", Answer::NoRace),
                               row(2, "silent", Answer::NoRace), row(3, "unlabelled", Answer::Race),
                               row(4, "false", Answer::Failed)};
  rows.push_back(row(5, "open", Answer::Race));
  rows.back().file = "other/open.litmus";  // another suite has a test with this name
  const ToolTable table = rows_about(labelled_sample(), rows);
  EXPECT_EQ(table.rows.size(), 4u);
  EXPECT_EQ(table.not_run, 1u);  // "open"
  const ScoreboardFigure figure = figure_of(table);
  EXPECT_EQ(figure.racy, 2u);
  EXPECT_EQ(figure.found, 1u);
  EXPECT_EQ(figure.race_free, 1u);
  EXPECT_EQ(figure.false_positives, 0u);
  EXPECT_EQ(figure.no_answer, 2u);  // "false" failed, "open" was not run
}

TEST(Scoreboard, ToolRowsGetTheLabelOfToday) {
  std::vector<ToolRow> rows = {row(0, "found", Answer::Race)};
  rows.front().label = false;  // the suite has corrected its label since the campaign
  EXPECT_EQ(rows_about(labelled_sample(), rows).rows.front().label, true);
}

Scoreboard board() {
  Scoreboard board;
  ScoreboardSuite suite = scoreboard_suite(labelled_sample());
  suite.folder = "suite";
  suite.command = "ambit validate suite";
  board.suites = {suite};
  ScoreboardFigure figure = figure_of(labelled_sample(), 0);
  figure.page = "suite/detector-scord.html";
  board.rows = {{.name = "scord", .is_tool = false, .about = {}, .figures = {figure}},
                {.name = "racecheck", .is_tool = true, .about = "100 runs of each program", .figures = {{}}}};
  return board;
}

TEST(Scoreboard, FiguresLinkToTheirPages) {
  const std::string page = scoreboard_page(board(), {"a note"});
  EXPECT_THAT(page, HasSubstr("<a href=\"suite/detector-scord.html\">1 of 2</a>"));
  EXPECT_THAT(page, HasSubstr("1 without an answer"));
  EXPECT_THAT(page, HasSubstr("<a href=\"suite/index.html\">suite</a>"));
  EXPECT_THAT(page, HasSubstr("racecheck: 100 runs of each program"));
  EXPECT_THAT(page, HasSubstr("a note"));
  EXPECT_TRUE(page.ends_with("</html>\n"));
}

TEST(Scoreboard, NamesDoNotBecomeMarkup) {
  Scoreboard evil = board();
  evil.rows[1].name = evil.rows[1].about = evil.suites[0].name = "<script>alert(1)</script>";
  EXPECT_THAT(scoreboard_page(evil, {}), Not(HasSubstr("<script>alert")));
  ToolTable table = rows_about(labelled_sample(), std::vector<ToolRow>{row(0, "found", Answer::Race)});
  table.rows.front().reports = {"<script>alert(1)</script>"};
  EXPECT_THAT(tool_page(table, "<script>alert(1)</script>"), Not(HasSubstr("<script>alert")));
}

TEST(Scoreboard, TextHasTwoColumnsForEachSuite) {
  EXPECT_EQ(scoreboard_text(board()).substr(0, scoreboard_text(board()).find("\n\n") + 1),
            "detector or tool  [1] found  false\n"
            "----------------------------------\n"
            "scord                   1/2    1/2\n"
            "racecheck                 -      -\n");
}

TEST(Scoreboard, JsonHasTheFiguresOfThePage) {
  const auto json = nlohmann::json::parse(scoreboard_json(board(), "0"));
  const auto& figure = json.at("rows").at(0).at("figures").at(0);
  EXPECT_EQ(figure.at("found"), 1);
  EXPECT_EQ(figure.at("racy"), 2);
  EXPECT_EQ(figure.at("false_positives"), 1);
  EXPECT_EQ(figure.at("no_answer"), 1);
  EXPECT_EQ(json.at("rows").at(1).at("kind"), "tool");
  EXPECT_TRUE(json.at("rows").at(1).at("figures").at(0).at("page").is_null());
}

}  // namespace
}  // namespace ambit::report
