#include "report/text/verdict_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/verdict/races.h"
#include "report/results/condition_source.h"
#include "report/results/race_groups.h"
#include "report/results/words.h"
#include "report/text/result_texts.h"
#include "report/text/summary.h"
#include "report/text/table.h"
#include "report/text/witness_text.h"
#include "tests/support/sample_result.h"

namespace ambit::report {
namespace {

using events::Possibility;
using test::sample_result;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(Style, WidthIgnoresColoursAndCountsCharacters) {
  EXPECT_EQ(display_width("abc"), 3U);
  EXPECT_EQ(display_width(Style{true}.bad("abc")), 3U);
  EXPECT_EQ(display_width("\xc3\xa4"), 1U);
  EXPECT_EQ(pad("ab", 4), "ab  ");
  EXPECT_EQ(pad("ab", 4, true), "  ab");
  EXPECT_EQ(Style{}.bad("x"), "x");
}

TEST(Style, LongLinesAreBrokenAtSpaces) {
  const std::string text = "short\n  two columns in, and some more\n";
  EXPECT_EQ(fitted(text, 0), text) << "without a terminal";
  EXPECT_EQ(fitted(text, 33), text);
  // A continuation line is indented four columns more than the line that it continues, but not past the middle.
  EXPECT_EQ(fitted(text, 20), "short\n  two columns in,\n      and some more\n");
  EXPECT_EQ(fitted("  aa  bb  cc", 8), "  aa  bb\n    cc");
  EXPECT_EQ(fitted("a-word-that-is-too-long and b", 8), "a-word-that-is-too-long\n    and\n    b")
      << "a long word is not split";
  EXPECT_EQ(fitted("----------", 6), "------");
  const std::string painted = Style{true}.bad("race") + " on x";
  EXPECT_EQ(fitted(painted, 9), painted) << "colours take no space";
  for (std::size_t width = 1; width < 40; ++width) {
    std::string without_breaks = fitted(text, width);
    std::erase_if(without_breaks, [](char c) { return c == ' ' || c == '\n'; });
    EXPECT_EQ(without_breaks, "shorttwocolumnsin,andsomemore") << "no text is lost";
  }
}

TEST(Table, AlignsAndTrims) {
  Table table({Table::Align::Left, Table::Align::Right});
  table.add({"name", "n"});
  table.add_rule();
  table.add({"a", "10"});
  table.add({"only"});
  EXPECT_EQ(table.render(1), " name   n\n --------\n a     10\n only\n");
}

TEST(Words, ValuesAreWrittenByTheirType) {
  const auto program = test::sample_program();
  EXPECT_EQ(value_text(*program, -1, kInt), "-1");
  EXPECT_EQ(value_text(*program, -1, kUnsignedLongLong), "18446744073709551615");
  EXPECT_EQ(value_text(*program, make_address(0, 0), kLongLong), "&x");
}

TEST(Words, AConditionOfSeveralLinesIsPutOnOne) {
  auto program = test::sample_program();
  const std::string text = "exists (x == 1 ||  // one\r\n  // ambit: x == 2)\nexpect ptx : Always\n";
  program->source = std::make_shared<const SourceFile>(SourceFile{"dir/sample.litmus", text});
  program->condition.span = {1, 8, static_cast<std::uint32_t>(text.find(')') - 6)};
  EXPECT_EQ(condition_source(*program), "exists (x == 1 || x == 2)");
  program->condition.span.length = 5;
  EXPECT_EQ(condition_source(*program), "exists (x == 1 ||  // one") << "a single line is shown unchanged";
  program->condition.span = {};
  EXPECT_EQ(condition_source(*program), "");
}

TEST(Words, AStatementOfALineWithSeveralIsShownAlone) {
  auto program = test::sample_program();
  const auto shown = [&](const std::string& line, const std::string& at) {
    program->source = std::make_shared<const SourceFile>(SourceFile{"sample.litmus", line + "\n"});
    const auto column = static_cast<std::uint32_t>(line.find(at) + 1);
    return std::string(source_text(*program, {1, column, static_cast<std::uint32_t>(at.size())}));
  };
  const std::string thread = "P0 @ block 0 { x = 1; __threadfence(); flag = 1; }";
  EXPECT_EQ(shown(thread, "x = 1"), "x = 1;");
  EXPECT_EQ(shown(thread, "__threadfence"), "__threadfence();");
  EXPECT_EQ(shown(thread, "flag"), "flag = 1;");
  EXPECT_EQ(shown("P0 @ block 0 { x = 1; }", "x = 1"), "x = 1;");
  EXPECT_EQ(shown("P0 @ block 0 { x = 1; }  // {a} comment", "x = 1"), "x = 1;");
  EXPECT_EQ(shown("P1 @ block 1 { if (y == 1) { int r1 = x; } }", "y == 1"), "if (y == 1) { int r1 = x; }");
  EXPECT_EQ(shown("__global__ void k() { x = f(1); }", "x = f"), "x = f(1);");
  EXPECT_EQ(shown("  if (i < n) x[i] = 1;", "x[i]"), "if (i < n) x[i] = 1;") << "a line with one statement";
  EXPECT_EQ(shown("int t = 0; for (int i = 0; i < 4; ++i) t += s[i];", "s[i]"),
            "for (int i = 0; i < 4; ++i) t += s[i];");
  EXPECT_EQ(shown("asm(\"st.u32 [%0], 1;\" :: \"l\"(p)); y = 2;", "asm"), "asm(\"st.u32 [%0], 1;\" :: \"l\"(p));");
  EXPECT_EQ(shown("x = 1;  // first; then more; and more", "x = 1"), "x = 1;  // first; then more; and more");
}

TEST(Line, SaysStatusModelFrequencyConditionRace) {
  const TestResult test = sample_result(test::sample_verdict());
  EXPECT_EQ(result_line(test, test.results[0], Style{}, {8, 12}),
            "--       sample    toy           Sometimes  exists: yes  race on x\n");
}

TEST(Line, GivesReasons) {
  auto program = test::sample_program();
  Expectation expectation;
  expectation.model = "toy";
  expectation.frequency = Frequency::Never;
  expectation.race = false;
  program->expectations.push_back(expectation);
  const TestResult test = sample_result(test::sample_verdict(program));
  EXPECT_EQ(result_line(test, test.results[0], Style{}, {6, 12}),
            "FAIL     sample  toy           Sometimes  exists: yes  race on x  (expected Never; expected norace)\n");
}

TEST(Line, UnknownSaysWhyAndWhatHelps) {
  verdict::Verdict verdict = test::sample_verdict_without_race();
  verdict.frequency = std::nullopt;
  verdict.condition_holds = std::nullopt;
  verdict.race = Possibility::Unknown;
  verdict.unknown = UnknownReason::Bound;
  const TestResult test = sample_result(verdict);
  const std::string line = result_line(test, test.results[0], Style{}, {6, 12});
  EXPECT_THAT(line, HasSubstr("UNKNOWN"));
  EXPECT_THAT(line, HasSubstr("race ?"));
  EXPECT_THAT(line, HasSubstr("Unknown (bound)"));
  EXPECT_THAT(line, HasSubstr("--unroll"));
  EXPECT_THAT(line, Not(HasSubstr("norace")));
}

TEST(Detail, RaceShowsBothAccessesWithTheirSource) {
  const TestResult test = sample_result(test::sample_verdict());
  const std::string text = verdict_text(test, test.results[0], Style{}, Detail::Witness);
  EXPECT_THAT(text, HasSubstr("race on x"));
  EXPECT_THAT(text, HasSubstr("dir/sample.litmus:3"));
  EXPECT_THAT(text, HasSubstr("dir/sample.litmus:3  x = 1;\n"));
  EXPECT_THAT(text, HasSubstr("dir/sample.litmus:4"));
  EXPECT_THAT(text, HasSubstr("dir/sample.litmus:4  int r0 = x;\n"));
  EXPECT_THAT(text, HasSubstr("exists (P1:r0 == 1)"));
  EXPECT_THAT(text, HasSubstr("holds in some executions, not in all"));
  EXPECT_THAT(text, Not(HasSubstr("await termination")));
}

TEST(Detail, ModelsWithTheSameAnswersShareTheDetails) {
  TestResult test = sample_result(test::sample_verdict());
  test.results.push_back(test.results[0]);
  test.results[1].model = "other";
  test.results.push_back(sample_result(test::sample_verdict_without_race()).results[0]);
  const auto groups = answer_groups(test, {&test.results[0], &test.results[1], &test.results[2]}, {}, Detail::Witness);
  ASSERT_EQ(groups.size(), 2U);
  EXPECT_EQ(groups[0].results, (std::vector<const ModelResult*>{&test.results[0], &test.results[1]}));
  EXPECT_EQ(groups[0].details, verdict_text(test, test.results[0], {}, Detail::Witness));
  EXPECT_THAT(groups[1].details, HasSubstr("no race"));
}

TEST(Detail, AnExecutionThatAnotherModelShowedIsNotShownAgain) {
  TestResult test = sample_result(test::sample_verdict());
  test.results.push_back(sample_result(test::sample_verdict_without_race()).results[0]);
  test.results[1].model = "other";
  test.results[1].verdict->model = "other";
  const auto groups = answer_groups(test, {&test.results[0], &test.results[1]}, {}, Detail::Witness);
  ASSERT_EQ(groups.size(), 2U);
  EXPECT_THAT(groups[1].details, HasSubstr("an execution in which it holds: the first execution shown for toy"));
  EXPECT_THAT(groups[1].details, Not(HasSubstr("#1")));
}

/// One thread writes a location. Three other threads read the location, all at one source place.
TEST(Detail, RacesOfOnePairOfPlacesAreOneGroup) {
  verdict::Verdict verdict = test::sample_verdict();
  const verdict::Race sample = verdict::races(verdict).front();
  events::EventGraph graph = *verdict.graph;
  std::vector<events::FlaggedPair> pairs = {*sample.pair};
  for (std::uint32_t thread = 2; thread < 4; ++thread) {
    events::Event copy = graph.events[sample.pair->second];
    copy.thread = thread;
    graph.events.push_back(copy);
    pairs.push_back(pairs.front());
    pairs.back().second = static_cast<events::EventId>(graph.events.size() - 1);
  }
  verdict.graph = std::make_shared<const events::EventGraph>(graph);
  std::vector<verdict::Race> races;
  for (const events::FlaggedPair& pair : pairs) races.push_back({sample.flag, &pair, sample.location});
  const std::vector<RaceGroup> groups = race_groups(verdict, races);
  ASSERT_EQ(groups.size(), 1U);
  EXPECT_EQ(groups[0].races.size(), 3U);
  EXPECT_EQ(groups[0].thread_pairs, 3U);
  EXPECT_EQ(groups[0].cells, "x");
  EXPECT_EQ(thread_pairs_text(groups[0]), "3 pairs of threads");
  EXPECT_EQ(thread_pairs_text(race_groups(verdict, {races[0]})[0]), "");
  verdict.answers.flags[0].unchecked = {{pairs[0].first, pairs[2].second}};
  EXPECT_EQ(thread_pairs_text(race_groups(verdict, {races[0], races[1]})[0]), "at least 2 pairs of threads");
}

TEST(Detail, AwaitsAreReportedAsUnchecked) {
  verdict::Verdict verdict = test::sample_verdict();
  events::EventGraph graph = *verdict.graph;
  graph.events[2].is_await = true;
  verdict.graph = std::make_shared<const events::EventGraph>(graph);
  const TestResult test = sample_result(verdict);
  EXPECT_THAT(verdict_text(test, test.results[0], Style{}, Detail::Plain),
              HasSubstr("this assumes that every spin loop ends"));
}

TEST(Detail, IncidentsAreVerdictsOfTheirOwn) {
  verdict::Verdict verdict = test::sample_verdict();
  events::EventGraph graph = *verdict.graph;
  graph.incidents.push_back(
      {events::Incident::Kind::OutOfBounds, events::ValueGraph::kTrue, 0, {3, 1, 1}, "index 7 of x"});
  verdict.graph = std::make_shared<const events::EventGraph>(graph);
  verdict.answers.incidents = {{Possibility::Possible, {}}};
  const TestResult test = sample_result(verdict);
  const std::string text = verdict_text(test, test.results[0], Style{}, Detail::Plain);
  EXPECT_THAT(text, HasSubstr("out of bounds"));
  EXPECT_THAT(text, HasSubstr("index 7 of x"));
  EXPECT_THAT(result_line(test, test.results[0], Style{}, {6, 12}), HasSubstr("out of bounds"));
}

TEST(Witness, ListsStepsInAnOrderThatExplainsThem) {
  const verdict::Verdict verdict = test::sample_verdict();
  // The text lists the read before the write, because the read returns the initial value. The reading thread is the
  // second thread.
  const std::string old_value = witness_text(*verdict.graph, *verdict.rules, test::sample_execution(false), Style{}, 0);
  EXPECT_LT(old_value.find("R x = 0"), old_value.find("W x = 1"));
  EXPECT_THAT(old_value, HasSubstr("reads init"));
  EXPECT_THAT(old_value, HasSubstr("outcome: P1:r0 == 0"));
  EXPECT_THAT(old_value, HasSubstr("step by step"));
  const std::string new_value = witness_text(*verdict.graph, *verdict.rules, test::sample_execution(true), Style{}, 0);
  EXPECT_LT(new_value.find("W x = 1"), new_value.find("R x = 1"));
  EXPECT_THAT(new_value, HasSubstr("reads #1"));
}

TEST(Outcomes, TableMarksWhatSatisfiesTheCondition) {
  verdict::Verdict verdict = test::sample_verdict();
  verdict.answers.outcomes = {{0}, {1}};
  const std::string text = outcomes_table(sample_result(verdict), Style{});
  EXPECT_THAT(text, HasSubstr("P1:r0  condition  toy"));
  EXPECT_THAT(text, HasSubstr("    1  holds      yes"));
  EXPECT_THAT(text, HasSubstr("    0             yes"));
  EXPECT_THAT(text, HasSubstr("toy: 2 outcomes\n"));
}

TEST(Outcomes, IncompleteAnswersAreMarked) {
  verdict::Verdict verdict = test::sample_verdict();
  verdict.answers.outcomes = {{0}};
  verdict.unknown = UnknownReason::Timeout;
  EXPECT_THAT(outcomes_table(sample_result(verdict), Style{}), HasSubstr("toy: 1 outcome, perhaps more (timeout"));
}

TEST(Summary, CountsByModelAndStatus) {
  Summary summary;
  summary.add(sample_result(test::sample_verdict()));
  EXPECT_EQ(summary.count(verdict::Status::NothingExpected), 1U);
  EXPECT_EQ(summary.count(verdict::Status::Ok), 0U);
  EXPECT_EQ(summary.one_line(Style{}), "1 verdict on 1 test: 1 without an expectation\n");
  EXPECT_EQ(summary.label_tables(Style{}), "");
}

TEST(Summary, LabelTableMarksDisagreement) {
  auto program = test::sample_program();
  program->labels.push_back({"suite", false, false, "", {}});
  Summary summary;
  summary.add(sample_result(test::sample_verdict(program)));
  summary.add(sample_result(test::sample_verdict_without_race(program)));
  const std::string table = summary.label_tables(Style{});
  EXPECT_THAT(table, HasSubstr("sample                 norace  race *"));
  EXPECT_THAT(table, HasSubstr("sample                 norace  norace\n"));
  EXPECT_THAT(table, HasSubstr("agrees with the label          1 of 2"));
}

TEST(Summary, UnknownIsNotAgreement) {
  auto program = test::sample_program();
  program->labels.push_back({"suite", false, false, "", {}});
  verdict::Verdict verdict = test::sample_verdict_without_race(program);
  verdict.race = Possibility::Unknown;
  Summary summary;
  summary.add(sample_result(verdict));
  const std::string table = summary.label_tables(Style{});
  EXPECT_THAT(table, Not(HasSubstr("1 of 1")));
  EXPECT_THAT(table, HasSubstr("?"));
}

TEST(Summary, FilesWithoutTestsAreErrors) {
  TestResult test;
  test.file = "bad.litmus";
  test.error = "bad.litmus:1:1: error: no\n";
  Summary summary;
  summary.add(test);
  EXPECT_TRUE(summary.has_bad_input());
  EXPECT_EQ(summary.count(verdict::Status::Error), 1U);
}

}  // namespace
}  // namespace ambit::report
