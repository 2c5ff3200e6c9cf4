#include "report/logs/sarif.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "model/verdict/races.h"
#include "report/logs/findings.h"
#include "tests/support/sample_result.h"

namespace ambit::report {
namespace {

using nlohmann::json;
using test::sample_result;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::StartsWith;

Expectation expects(std::optional<Frequency> frequency, std::optional<bool> race) {
  Expectation expectation;
  expectation.model = "toy";
  expectation.frequency = frequency;
  expectation.race = race;
  return expectation;
}

TestResult result_of(const Expectation& expectation) {
  auto program = test::sample_program();
  program->expectations.push_back(expectation);
  return sample_result(test::sample_verdict(program));
}

json sarif_log_of(const std::vector<Finding>& findings) {
  Sarif sarif("1.2.3");
  sarif.add(findings);
  return json::parse(sarif.document());
}

/// Checks the requirements of SARIF 2.1.0 for a location (3.28, 3.29, 3.30).
void expect_location(const json& location) {
  const json& physical = location.at("physicalLocation");
  EXPECT_FALSE(physical.at("artifactLocation").at("uri").get<std::string>().empty());
  EXPECT_GE(physical.at("region").at("startLine").get<int>(), 1);
  if (location.contains("message")) {
    EXPECT_TRUE(location["message"].at("text").is_string());
  }
}

/// Checks the requirements of SARIF 2.1.0 for a log (3.13), a run (3.14), a tool (3.18, 3.19), a rule (3.49), a result
/// (3.27) and an invocation (3.20).
void expect_valid(const json& log) {
  EXPECT_EQ(log.at("version"), "2.1.0");
  ASSERT_THAT(log.at("runs"), SizeIs(1));
  const json& run = log["runs"][0];
  const json& driver = run.at("tool").at("driver");
  EXPECT_TRUE(driver.at("name").is_string());
  std::set<std::string> ids;
  for (const json& rule : driver.at("rules")) {
    EXPECT_TRUE(ids.insert(rule.at("id")).second) << "two rules have the same id";
    EXPECT_TRUE(rule.at("shortDescription").at("text").is_string());
    EXPECT_TRUE(rule.at("help").at("text").is_string());
    EXPECT_TRUE(rule.at("help").at("markdown").is_string());
  }
  for (const json& result : run.at("results")) {
    EXPECT_TRUE(result.at("message").at("text").is_string());
    const std::size_t index = result.at("ruleIndex");
    ASSERT_LT(index, driver["rules"].size());
    EXPECT_EQ(driver["rules"][index]["id"], result.at("ruleId"));
    const std::set<std::string> levels = {"none", "note", "warning", "error"};
    EXPECT_TRUE(levels.contains(result.at("level")));
    ASSERT_THAT(result.at("locations"), SizeIs(1));
    expect_location(result["locations"][0]);
    if (result.contains("relatedLocations")) {
      for (const json& location : result["relatedLocations"]) expect_location(location);
    }
    EXPECT_TRUE(result.at("partialFingerprints").at("ambit/v1").is_string());
  }
  for (const json& invocation : run.at("invocations")) EXPECT_TRUE(invocation.at("executionSuccessful").is_boolean());
}

TEST(Sarif, AnEmptyLogIsALog) {
  const json log = sarif_log_of({});
  expect_valid(log);
  EXPECT_THAT(log["runs"][0]["results"], IsEmpty());
  EXPECT_EQ(log["runs"][0]["tool"]["driver"]["semanticVersion"], "1.2.3");
}

TEST(Sarif, ARaceHasBothPlaces) {
  TestResult test = sample_result(test::sample_verdict());
  const verdict::Verdict& verdict = *test.results[0].verdict;
  const events::FlaggedPair& race = *verdict::races(verdict).front().pair;
  test.results[0].explanation = "The missing link\n  a fence\n";
  test.results[0].explained = {verdict.graph->events[race.second].span, verdict.graph->events[race.first].span};
  const json log = sarif_log_of(findings_of(test));
  expect_valid(log);
  ASSERT_THAT(log["runs"][0]["results"], SizeIs(1));
  const json& result = log["runs"][0]["results"][0];
  EXPECT_EQ(result["ruleId"], "data-race");
  EXPECT_EQ(result["level"], "warning") << "no expectation excludes the race";
  EXPECT_THAT(result["message"]["text"].get<std::string>(), StartsWith("Race on x under toy: "));
  EXPECT_THAT(result["message"]["text"].get<std::string>(), HasSubstr("a fence"));
  EXPECT_THAT(result["message"]["markdown"].get<std::string>(), HasSubstr("```\nThe missing link"));
  const json& first = result["locations"][0]["physicalLocation"];
  EXPECT_EQ(first["artifactLocation"]["uri"], "dir/sample.litmus");
  EXPECT_EQ(first["artifactLocation"]["uriBaseId"], "%SRCROOT%");
  EXPECT_EQ(first["region"]["startLine"], 3);
  EXPECT_EQ(result["relatedLocations"][0]["physicalLocation"]["region"]["startLine"], 4);
}

TEST(Sarif, ARaceHasNoExplanationOfAnotherOne) {
  TestResult test = sample_result(test::sample_verdict());
  test.results[0].explanation = "The missing link\n  a fence\n";
  test.results[0].explained = {SourceSpan{30, 1, 1}, SourceSpan{31, 1, 1}};
  const std::vector<Finding> findings = findings_of(test);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].details, "");
}

TEST(Sarif, ExpectationsSayWhatIsAnError) {
  const auto levels = [](const Expectation& expectation) {
    std::vector<std::pair<std::string, std::string>> found;
    const json log = sarif_log_of(findings_of(result_of(expectation)));
    for (const json& result : log["runs"][0]["results"]) {
      found.emplace_back(result["ruleId"], result["level"]);
    }
    return found;
  };
  using Found = std::vector<std::pair<std::string, std::string>>;
  EXPECT_EQ(levels(expects({}, true)), Found{}) << "the race is expected";
  EXPECT_EQ(levels(expects({}, false)), (Found{{"data-race", "error"}})) << "one finding, not two";
  EXPECT_EQ(levels(expects(Frequency::Sometimes, {})), (Found{{"data-race", "warning"}}));
  EXPECT_EQ(levels(expects(Frequency::Never, true)), (Found{{"failed-expectation", "error"}}));
}

TEST(Sarif, ModelsWithOneRaceShareAFinding) {
  TestResult test = sample_result(test::sample_verdict());
  test.results.push_back(test.results[0]);
  test.results.push_back(test.results[0]);
  test.results[1].model = "other";
  const std::vector<Finding> findings = findings_of(test);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_THAT(findings[0].message, StartsWith("race on x under toy, other: "));
}

TEST(Sarif, UnknownIsAFinding) {
  verdict::Verdict verdict = test::sample_verdict_without_race();
  verdict.race = events::Possibility::Unknown;
  verdict.unknown = UnknownReason::Timeout;
  const json log = sarif_log_of(findings_of(sample_result(verdict)));
  expect_valid(log);
  ASSERT_THAT(log["runs"][0]["results"], SizeIs(1));
  EXPECT_EQ(log["runs"][0]["results"][0]["ruleId"], "unknown");
  EXPECT_THAT(log["runs"][0]["results"][0]["message"]["text"].get<std::string>(), HasSubstr("timeout"));
}

TEST(Sarif, RacesOfDetectorsAskForNoExpectation) {
  const auto help = [](RaceSource races) {
    Sarif sarif("1.2.3", races);
    Finding finding;
    finding.rule = "data-race";
    finding.places = {{"a.trace", {}, {}, {}}};
    sarif.add({finding});
    const json log = json::parse(sarif.document());
    return log["runs"][0]["tool"]["driver"]["rules"][0]["help"]["text"].get<std::string>();
  };
  EXPECT_THAT(help(RaceSource::Models), HasSubstr("expect MODEL : race"));
  EXPECT_THAT(help(RaceSource::Detectors), ::testing::Not(HasSubstr("expect MODEL")));
  EXPECT_THAT(help(RaceSource::Detectors), HasSubstr("No memory model was involved"));
}

TEST(Sarif, UnreadableInputIsNotASuccess) {
  Sarif sarif("1.2.3");
  sarif.add_error("bad.litmus:1:1: error: \xff\n");
  const json log = json::parse(sarif.document());
  expect_valid(log);
  const json& invocation = log["runs"][0]["invocations"][0];
  EXPECT_EQ(invocation["executionSuccessful"], false);
  EXPECT_THAT(invocation["toolExecutionNotifications"][0]["message"]["text"].get<std::string>(),
              HasSubstr("bad.litmus"));
}

/// Services identify a finding by its fingerprint. So the fingerprint must stay the same if a user adds lines above the
/// finding.
TEST(Sarif, FingerprintsFollowTheTextOfTheLines) {
  const auto fingerprints = [](const std::vector<Finding>& findings) {
    std::vector<std::string> all;
    const json log = sarif_log_of(findings);
    for (const json& result : log["runs"][0]["results"]) {
      all.push_back(result["partialFingerprints"]["ambit/v1"]);
    }
    return all;
  };
  const Finding finding{"data-race",
                        Finding::Level::Error,
                        "race",
                        "",
                        {{"a.cu", {7, 3, 1}, "x = 1;", ""}, {"a.cu", {9, 3, 1}, "r = x;", ""}},
                        "a|x"};
  Finding moved = finding;
  moved.places[0].span.line = 17;
  moved.places[1].span.line = 19;
  moved.message = "race, said otherwise";
  Finding changed = finding;
  changed.places[0].text = "x = 2;";
  EXPECT_EQ(fingerprints({finding}), fingerprints({moved}));
  EXPECT_NE(fingerprints({finding}), fingerprints({changed}));
  const auto twice = fingerprints({finding, finding});
  EXPECT_NE(twice[0], twice[1]) << "two findings in one log are distinguished";
}

TEST(Sarif, PathsAreUris) {
  EXPECT_EQ(path_uri("a b/k#1.cu", "/src"), "a%20b/k%231.cu");
  EXPECT_EQ(path_uri("./x.litmus", "/src"), "x.litmus");
  EXPECT_EQ(path_uri("/src/dir/x.litmus", "/src"), "dir/x.litmus");
  EXPECT_EQ(path_uri("/other/x.litmus", "/src"), "file:///other/x.litmus");
  EXPECT_EQ(path_uri("\xc3\xa4.cu", "/src"), "%C3%A4.cu");
}

TEST(Sarif, ARaceOfSeveralDetectorsIsOneFinding) {
  DetectionResult result;
  result.source = "k";
  result.file = "k.litmus";
  RaceReport race;
  race.first = {result.tables.thread(0, 0, 0), result.tables.site("k.litmus:7"), 0, true, false};
  race.second = {result.tables.thread(0, 1, 0), result.tables.site("k.litmus:9:3"), 1, false, true};
  race.location = result.tables.location("x");
  race.sentence = "why";
  for (const char* name : {"scord", "iguard", "wcp"}) result.detectors.emplace_back().detector = name;
  result.detectors[0].races = {race};
  std::swap(race.first, race.second);
  result.detectors[1].races = {race};
  const std::vector<Finding> findings = findings_of(result, [](std::string_view) { return std::string("line"); });
  expect_valid(sarif_log_of(findings));
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_THAT(findings[0].message, HasSubstr("found by scord, iguard: why"));
  ASSERT_THAT(findings[0].places, SizeIs(2));
  EXPECT_EQ(findings[0].places[0].file, "k.litmus");
  EXPECT_EQ(findings[0].places[0].span.line, 7U);
  EXPECT_EQ(findings[0].places[1].span.column, 3U);
  EXPECT_EQ(findings[0].places[1].message, "b1t0: atomic read");
}

TEST(Sarif, RacesOfDetectorsBetweenTheSamePlacesAreOneFinding) {
  DetectionResult result;
  result.source = result.file = "k.cu";
  DetectorFindings& findings = result.detectors.emplace_back();
  findings.detector = "scord";
  for (std::uint32_t block = 1; block <= 3; ++block) {
    RaceReport race;
    race.first = {result.tables.thread(0, 0, 0), result.tables.site("k.cu:7"), 0, true, false};
    race.second = {result.tables.thread(0, block, 0), result.tables.site("k.cu:9"), 1, false, false};
    race.location = result.tables.location(block == 1 ? "data[1]" : "data[2]");
    race.sentence = "why";
    add_race(findings, race, result.tables);
  }
  const std::vector<Finding> found = findings_of(result, [](std::string_view) { return std::string(); });
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_THAT(found[0].message, HasSubstr("race on data[1], data[2]: "));
  EXPECT_THAT(found[0].message, HasSubstr("why, and 2 pairs of threads more"));
}

TEST(Sarif, DetectorsThatGaveUpLeaveTheAnswerOpen) {
  DetectionResult result;
  result.source = result.file = "k.trace";
  DetectorFindings& findings = result.detectors.emplace_back();
  findings.detector = "predict";
  findings.is_open = true;
  const std::vector<Finding> found = findings_of(result, [](std::string_view) { return std::string(); });
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].rule, "unknown");
  EXPECT_THAT(found[0].message, HasSubstr("predict gave up"));
}

}  // namespace
}  // namespace ambit::report
