#include "report/site.h"

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

/// Nothing of a user's text is markup, nothing is loaded from elsewhere, and the page ends.
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
  return {kEvil, {kEvil, "e"}, {kEvil}, {test}};
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
  expect_clean(index_page(validation, {link}, {kEvil}));
  expect_clean(test_page(page_of(validation, validation.tests[0])));
}

TEST(Site, NothingOfACampaignIsMarkup) {
  const std::vector<CrossRow> rows = {evil_row()};
  expect_clean(index_page(rows, {"a.html"}, {kEvil}));
  expect_clean(test_page(page_of(rows[0])));
}

/// A test that was not run is in the index without a link.
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

// Some file systems do not tell capital letters from small ones.
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
  const std::string text = html_source({"t", "// x < 1\nint r0 = x;\n/* one\ntwo */ 12\n"});
  EXPECT_THAT(text, HasSubstr("<span id=\"L1\"><span class=\"c-c\">// x &lt; 1</span></span>"));
  EXPECT_THAT(text, HasSubstr("<span class=\"t\">int</span> r0 = x;"));
  EXPECT_THAT(text, HasSubstr("<span id=\"L4\"><span class=\"c-c\">two */</span> <span class=\"d\">12</span></span>"));
  EXPECT_THAT(text, Not(HasSubstr("id=\"L5\"")));
}

TEST(Site, PlacesInTheTestsOwnFileAreItsLines) {
  TestPage page;
  page.file = "k.litmus";
  page.source = source("one\ntwo\n");
  page.findings = {{"d", "in every run", Tone::Good, {"b0t0 writes x (k.litmus:2), b1t0 reads x (other.litmus:1)"}}};
  EXPECT_THAT(test_page(page), HasSubstr("(<a href=\"#L2\">line 2</a>), b1t0 reads x (other.litmus:1)"));
}

// One in 1000 is at half of the scale of 1000000, and still to be seen.
TEST(Site, BarsAreOnAScaleOfPowersOfTen) {
  TestPage page;
  page.hardware = "GPU: 1000999 runs";
  page.outcomes = {{"a", 999999, ""}, {"b", 999, "ptx"}};
  const std::string text = test_page(page);
  EXPECT_THAT(text, HasSubstr("width:24.0rem"));
  EXPECT_THAT(text, HasSubstr("class=\"bar bad\" style=\"width:12.0rem\""));
  EXPECT_THAT(text, HasSubstr("forbidden by ptx"));
}

TEST(Site, AModelsAnswerStandsBesideWhatIsExpected) {
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
