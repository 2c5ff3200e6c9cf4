#include "report/html/pages.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "parser/parse.h"

namespace ambit::report {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const std::string kEvil = "<script>alert(1)</script>&\"'";

SourceFilePtr source(const std::string& text) {
  return std::make_shared<const SourceFile>(SourceFile{"t.litmus", text});
}

/// Checks three properties of a page: the user's text does not become markup, the page loads nothing from other
/// addresses, and the page is complete.
void expect_clean(const std::string& page) {
  EXPECT_THAT(page, Not(HasSubstr("<script>alert")));
  EXPECT_THAT(page, Not(HasSubstr("\"'<")));
  EXPECT_THAT(page, HasSubstr("&lt;script&gt;alert(1)&lt;/script&gt;&amp;"));
  for (const std::string from : {"src=", "http://", "https://", "@import", "<link", "url("}) {
    EXPECT_THAT(page, Not(HasSubstr(from))) << from;
  }
  EXPECT_TRUE(page.ends_with("</html>\n"));
}

Validation evil_validation() {
  ValidationTest test;
  test.file = kEvil;
  test.name = kEvil;
  test.label = true;
  test.because = kEvil;
  test.runs = 1;
  test.runs_are = kEvil;
  test.incomplete = kEvil;
  test.schedules = {kEvil};
  ValidationFinding finding;
  finding.racy = {true};
  finding.racy_runs = 1;
  finding.sentences = {kEvil};
  ValidationFinding silent;
  silent.not_judged = kEvil;
  test.findings = {finding, silent};
  test.verdicts = {{events::Possibility::Possible, kEvil}};
  test.refuted = {{kEvil, 0, kEvil, false}, {kEvil, 0, kEvil, true}};
  test.unmet = {kEvil};
  test.run_numbers = {0};
  test.run_events = {3};
  ValidationFinding quiet;
  quiet.racy = {false};
  test.findings.push_back(quiet);
  Validation validation;
  validation.suite = kEvil;
  validation.detectors = {kEvil, "e", "f"};
  validation.detector_words = {kEvil, "e", "f"};
  validation.detector_options = {kEvil, "", ""};
  validation.replay_options = kEvil;
  validation.models = {kEvil};
  validation.tests = {test};
  return validation;
}

CrossRow evil_row() {
  CrossRow row;
  row.file = kEvil;
  row.test = kEvil;
  row.label = kEvil;
  row.device = kEvil;
  row.runs = 10;
  row.traces = 1;
  row.models = {{kEvil, true, 1, true, 0, {kEvil}}};
  row.detectors = {{kEvil, 1, {kEvil}}};
  row.histogram = {{kEvil, 10, {}, {kEvil}}};
  row.in_gpu = {{kEvil, 10, 0, 0, 10, 0, 1, {{kEvil, kEvil, kEvil, 10}}, ""}, {"e", 0, 0, 0, 0, 0, 0, {}, kEvil}};
  return row;
}

TEST(Site, NothingOfATestIsMarkup) {
  TestPage page;
  page.name = kEvil;
  page.file = kEvil;
  page.source = source(kEvil + "\n/* " + kEvil + "\n" + kEvil + " */ \"" + kEvil + "\n#" + kEvil + "\n");
  page.facts = {{kEvil, kEvil}};
  page.alarms = {kEvil};
  page.notes = {kEvil};
  page.verdicts = {{kEvil, kEvil, Tone::Bad, kEvil, kEvil, Tone::Good, {kEvil, kEvil}}};
  page.picture = PagePicture{kEvil, "", kEvil};
  page.explanation = kEvil;
  page.more = kEvil;
  page.findings = {{kEvil, kEvil, Tone::Bad, {kEvil}}};
  page.timelines = {{kEvil, "", kEvil}};
  page.runs.head(kEvil, true);
  page.runs.add({{kEvil, Tone::Soft, kEvil, {}, HtmlCell::Place::Left, kEvil}});
  page.runs_note = kEvil;
  page.outcomes = {{kEvil, 3, kEvil}};
  page.hardware = kEvil;
  expect_clean(test_page(page));
}

TEST(Site, NothingOfAValidationIsMarkup) {
  const Validation validation = evil_validation();
  PageNames names;
  const std::string link = names.add(kEvil);
  EXPECT_THAT(link, Not(HasSubstr("<")));
  EXPECT_THAT(link, Not(HasSubstr("/")));
  expect_clean(index_page(validation, {{link}, {}}, {kEvil}));
  expect_clean(detector_page(validation, 0, {link}));
  expect_clean(test_page(page_of(validation, validation.tests[0])));
}

TEST(Site, NothingOfACampaignIsMarkup) {
  const std::vector<CrossRow> rows = {evil_row()};
  expect_clean(index_page(rows, {"a.html"}, {kEvil}));
  expect_clean(test_page(page_of(rows[0])));
}

// A row with a bad or doubtful cell is a failure. The page can hide the other rows only if some row is a failure.
TEST(Site, FailuresCanBeSeenAlone) {
  HtmlTable table("t");
  table.head("name");
  table.add({{"good", Tone::Good}});
  EXPECT_THAT(table.filter(), Not(HasSubstr("only failures")));
  table.add({{"bad", Tone::Bad}});
  table.add({{"in doubt", Tone::Doubtful}});
  EXPECT_THAT(table.filter(), HasSubstr("data-failures=\"#t\"> only failures (2 of 3 rows)"));
  EXPECT_THAT(table.render(), HasSubstr("<tr><td class=\"good\">"));
  EXPECT_THAT(table.render(), HasSubstr("<tr class=\"failed\"><td class=\"bad\">"));
  EXPECT_THAT(table.render(), HasSubstr("<tr class=\"failed\"><td class=\"doubt\">"));
}

// The table has no column for m(x=y). The answer of m(x=y) is on the page of the test.
TEST(Site, AModelWithOptionsIsLeftOutWhereTheModelItselfIsThere) {
  TestResult test;
  test.file = "a.litmus";
  test.results.resize(3);
  test.results[0].model = "m(x=y)";
  test.results[1].model = "m";
  test.results[2].model = "n(x=y)";
  Summary summary;
  summary.add(test);
  CheckIndex index;
  index.add(test, "a.html");
  const std::string page = index.page(summary, "t", {});
  const std::string table = page.substr(page.find("id=\"tests\""));
  EXPECT_THAT(table, HasSubstr("<th>m</th><th>n(x=y)</th></tr>"));
  const std::size_t row = table.find("<tbody>");
  std::size_t cells = 0;
  for (std::size_t at = row; (at = table.find("<td", at)) < table.find("</tbody>"); ++at) ++cells;
  EXPECT_EQ(cells, 5U);  // test, label, status, m, n(x=y)
}

// The page first lists the forbidden outcomes, then explains the terms, and then shows all tables.
TEST(Site, ACampaignBeginsWithForbiddenOutcomes) {
  CrossRow bad = evil_row();
  bad.models[0].race = false;
  CrossRow failed;
  failed.test = "lost";
  failed.error = "a hang\nand more";
  const std::vector<CrossRow> rows = {bad, failed};
  const std::string page = index_page(rows, {"a.html", "b.html"}, {});
  const std::size_t alarm = page.find("Forbidden outcomes were seen");
  EXPECT_LT(alarm, page.find("How to read it"));
  EXPECT_LT(page.find("How to read it"), page.find("<table"));
  EXPECT_THAT(page.substr(alarm), HasSubstr("<a href=\"a.html\">"));
  EXPECT_THAT(page, HasSubstr("seen in 10 of 10 runs</li>"));
  EXPECT_THAT(page, HasSubstr("a forbidden outcome was seen"));
  EXPECT_THAT(page, HasSubstr("1 small GPU program could not be run"));
  EXPECT_THAT(page, HasSubstr("not run: a hang</td>"));
  EXPECT_THAT(page, Not(HasSubstr("No forbidden outcome was seen")));
  bad.histogram[0].forbidden_by.clear();
  const std::string good = index_page(std::vector{bad}, {"a.html"}, {});
  EXPECT_THAT(good, HasSubstr("<p class=\"fine\">No forbidden outcome was seen.</p>"));
  EXPECT_THAT(good, HasSubstr("<p class=\"soft\">" + html_text(kEvil) + ": e did not run inside the GPU: "));
}

// If only the simulator ran, the page does not mention hardware. If any row is from a GPU, the page mentions hardware.
TEST(Site, ACampaignSaysWhatRan) {
  CrossRow simulated = evil_row();
  simulated.device = kSimulator;
  simulated.in_gpu.clear();
  const std::string page = index_page(std::vector{simulated}, {"a.html"}, {});
  EXPECT_THAT(page, HasSubstr("Models, detectors and simulator compared"));
  EXPECT_THAT(page, HasSubstr("outcomes that the simulator <b>showed</b>"));
  EXPECT_THAT(page, Not(HasSubstr("hardware")));
  const std::string mixed = index_page(std::vector{simulated, evil_row()}, {"a.html", "b.html"}, {});
  EXPECT_THAT(mixed, HasSubstr("outcomes that the hardware <b>showed</b>"));
}

TEST(Site, ACampaignCountsUnknownTests) {
  CrossRow good = evil_row();
  good.histogram[0].forbidden_by.clear();
  CrossRow failed;
  failed.error = "a hang";
  CrossRow unknown = good;
  unknown.models[0].is_complete = false;
  const std::string page = index_page(std::vector{good, failed, unknown}, {"a.html", "b.html", "c.html"}, {});
  EXPECT_THAT(page, HasSubstr("<p class=\"doubt\">No forbidden outcome was seen, but 2 of 3 programs may have one"));
  EXPECT_THAT(page, Not(HasSubstr("class=\"fine\">No outcome")));
}

// Detector a reports a race in 2 of 8 judged runs. Detector b reports no race and has no verdict on 2 of 10 runs.
// Detectors c and d have no verdict.
TEST(Site, ACampaignShowsDetectorsInTheKernel) {
  CrossRow row = evil_row();
  row.in_gpu = {{"a", 10, 2, 0, 2, 0, 1, {{"w", "r", "k", 2}}, ""},
                {"b", 10, 0, 2, 0, 0, 1, {}, ""},
                {"c", 0, 0, 0, 0, 0, 0, {}, "no memory"},
                {"d", 10, 0, 0, 10, 0, 1, {}, ""}};
  const std::string index = index_page(std::vector{row}, {"a.html"}, {});
  EXPECT_THAT(index, HasSubstr(">some</td>"));
  EXPECT_THAT(index, HasSubstr(">every</td>"));
  EXPECT_THAT(index, HasSubstr(">?<small>2 open</small></td>"));
  EXPECT_THAT(index, HasSubstr("inside the GPU"));
  const std::string page = test_page(page_of(row));
  EXPECT_THAT(page, HasSubstr("in 2 of 8 runs (25.0 %)"));
  EXPECT_THAT(page, HasSubstr("w, r: k, in 2 runs"));
  EXPECT_THAT(page, HasSubstr("in none of 8 runs<br>2 runs without a verdict"));
  EXPECT_THAT(page, HasSubstr("not run: no memory"));
}

/// If a test did not run, its row in the index has no link.
TEST(Site, AnIndexOfChecksLinksPagesThatThereAre) {
  TestResult run;
  run.file = kEvil + "/a.litmus";
  run.error = kEvil;
  TestResult left;
  left.file = "b.litmus";
  left.was_run = false;
  Summary summary;
  CheckIndex index;
  for (const TestResult* test : {&run, &left}) summary.add(*test);
  index.add(run, "a.html");
  index.add(left, "");
  const std::string page = index.page(summary, kEvil, {kEvil});
  expect_clean(page);
  EXPECT_THAT(page, HasSubstr("<a href=\"a.html\">"));
  EXPECT_THAT(page, HasSubstr("not run"));
  EXPECT_THAT(page, Not(HasSubstr("href=\"\"")));
  expect_clean(test_page(page_of(run)));
}

// On some file systems, names that differ only in upper and lower case are equal.
TEST(Site, EveryPageHasANameOfItsOwn) {
  PageNames names;
  EXPECT_EQ(names.add("MP+dev-fences"), "MP+dev-fences.html");
  EXPECT_EQ(names.add("mp+dev-fences"), "mp+dev-fences-2.html");
  EXPECT_EQ(names.add("index"), "index-2.html");
  EXPECT_EQ(names.add("a/b"), "a_b.html");
  EXPECT_EQ(names.add("a_b"), "a_b-2.html");
  EXPECT_EQ(names.add("../../etc/passwd"), "_.._.._etc_passwd.html");
  EXPECT_EQ(names.add(""), "_.html");
  EXPECT_LE(names.add(std::string(5000, 'x')).size(), 200U);
}

TEST(Site, LinesThatThereAreAreLinked) {
  const SourceFile two{"t", "a\nb\n"};
  EXPECT_EQ(html_with_lines("see line 2.", two), "see <a href=\"#L2\">line 2</a>.");
  EXPECT_EQ(html_with_lines("see line 3, line 0, line x", two), "see line 3, line 0, line x");
  EXPECT_EQ(html_with_lines("line 99999999999999999999999999", two), "line 99999999999999999999999999");
  EXPECT_EQ(html_with_lines("<line 1", two), "&lt;<a href=\"#L1\">line 1</a>");
  EXPECT_EQ(html_with_lines("line 2", {"t", "a\nb"}), "<a href=\"#L2\">line 2</a>");
}

TEST(Site, ASourceHasItsLinesAndColours) {
  const std::string text =
      html_source({"t", "// x < 1\nint r0 = x;\n/* one\ntwo */ 12\nif (*p == 3) {}  (* four *)\n"});
  EXPECT_THAT(text, HasSubstr("<span id=\"L1\"><span class=\"c-c\">// x &lt; 1</span></span>"));
  EXPECT_THAT(text, HasSubstr("<span class=\"t\">int</span> r0 = x;"));
  EXPECT_THAT(text, HasSubstr("<span id=\"L4\"><span class=\"c-c\">two */</span> <span class=\"d\">12</span></span>"));
  EXPECT_THAT(text, HasSubstr("(*p == <span class=\"d\">3</span>) {}  <span class=\"c-c\">(* four *)</span></span>"));
  EXPECT_THAT(text, Not(HasSubstr("id=\"L6\"")));
}

TEST(Site, PlacesInTheTestsOwnFileAreItsLines) {
  TestPage page;
  page.file = "k.litmus";
  page.source = source("one\ntwo\n");
  page.findings = {{"d", "in every run", Tone::Good, {"b0t0 writes x (k.litmus:2), b1t0 reads x (other.litmus:1)"}}};
  EXPECT_THAT(test_page(page), HasSubstr("(<a href=\"#L2\">line 2</a>), b1t0 reads x (other.litmus:1)"));
}

// The scale is logarithmic: if there are 1000000 runs, the bar for 1000 runs has half of the full width.
TEST(Site, BarsAreOnAScaleOfPowersOfTen) {
  TestPage page;
  page.hardware = "GPU: 1000999 runs";
  page.outcomes = {{"a", 999999, ""}, {"b", 999, "ptx"}};
  const std::string text = test_page(page);
  EXPECT_THAT(text, HasSubstr("width:24.0rem"));
  EXPECT_THAT(text, HasSubstr("class=\"bar bad\" style=\"width:12.0rem\""));
  EXPECT_THAT(text, HasSubstr("forbidden by ptx"));
}

TEST(Site, AModelsAnswerIsBesideTheExpectation) {
  const auto parsed =
      parser::parse_programs(source("CUDA t\n"
                                    "{ global int x = 0; }\n"
                                    "P0 @ block 0 { x = 1; }\n"
                                    "P1 @ block 1 { int r0 = x; }\n"
                                    "exists (P1:r0 == 1)\n"));
  ASSERT_TRUE(parsed.ok()) << render(parsed.errors());
  TestResult test;
  test.file = "t.litmus";
  test.program = parsed.value().front();
  ModelResult result;
  result.model = "m";
  result.judgement = {verdict::Status::Error, {"no such thing"}};
  test.results = {result};
  const std::string page = test_page(page_of(test));
  EXPECT_THAT(page, HasSubstr("<td>m</td><td class=\"bad\">ERROR</td>"));
  EXPECT_THAT(page, HasSubstr("no such thing"));
  EXPECT_THAT(page, HasSubstr("id=\"L5\""));
}

}  // namespace
}  // namespace ambit::report
