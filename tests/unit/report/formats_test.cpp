#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "report/json/json.h"
#include "report/logs/junit.h"
#include "tests/support/sample_result.h"

namespace ambit::report {
namespace {

using test::sample_result;
using ::testing::HasSubstr;

nlohmann::json parsed(const TestResult& test, const JsonOptions& options = {}) {
  const nlohmann::json document = nlohmann::json::parse(json_document("1.2.3", {test_json(test, options)}));
  EXPECT_EQ(document["ambit"], "1.2.3");
  EXPECT_EQ(document["format"], 1);
  return document["tests"][0];
}

TEST(Json, HoldsTheVerdict) {
  const nlohmann::json test = parsed(sample_result(test::sample_verdict()));
  EXPECT_EQ(test["file"], "dir/sample.litmus");
  EXPECT_EQ(test["name"], "sample");
  const nlohmann::json& result = test["results"][0];
  EXPECT_EQ(result["model"], "toy");
  EXPECT_EQ(result["status"], "--");
  EXPECT_EQ(result["frequency"], "Sometimes");
  EXPECT_EQ(result["condition"]["quantifier"], "exists");
  EXPECT_EQ(result["condition"]["holds"], true);
  EXPECT_EQ(result["race"], true);
  EXPECT_TRUE(result["unknown"].is_null());
  ASSERT_EQ(result["races"].size(), 1U);
  const nlohmann::json& race = result["races"][0];
  EXPECT_EQ(race["location"], "x");
  EXPECT_EQ(race["first"]["thread"], "P0");
  EXPECT_EQ(race["first"]["line"], 3);
  EXPECT_EQ(race["first"]["text"], "x = 1;");
  EXPECT_EQ(race["second"]["thread"], "P1");
  EXPECT_FALSE(result.contains("milliseconds"));
  EXPECT_FALSE(race.contains("witness"));
}

TEST(Json, WitnessHasReadsFrom) {
  const nlohmann::json test = parsed(sample_result(test::sample_verdict()), {true, false});
  const nlohmann::json& witness = test["results"][0]["witness_holds"];
  EXPECT_EQ(witness["outcome"]["P1:r0"], 1);
  EXPECT_EQ(witness["coherence"]["x"], nlohmann::json({0, 1}));
  bool seen = false;
  for (const auto& event : witness["events"]) {
    if (event["kind"] != "read") continue;
    seen = true;
    EXPECT_EQ(event["reads_from"], 1);
    EXPECT_EQ(event["value"], 1);
  }
  EXPECT_TRUE(seen);
}

TEST(Json, UnknownIsNull) {
  verdict::Verdict verdict = test::sample_verdict_without_race();
  verdict.frequency = std::nullopt;
  verdict.condition_holds = std::nullopt;
  verdict.race = events::Possibility::Unknown;
  verdict.unknown = UnknownReason::Timeout;
  const nlohmann::json test = parsed(sample_result(verdict));
  const nlohmann::json& result = test["results"][0];
  EXPECT_TRUE(result["frequency"].is_null());
  EXPECT_TRUE(result["race"].is_null());
  EXPECT_TRUE(result["condition"]["holds"].is_null());
  EXPECT_EQ(result["unknown"]["reason"], "timeout");
  EXPECT_EQ(result["status"], "UNKNOWN");
}

TEST(Json, TextThatIsNotUnicodeDoesNotBreakIt) {
  TestResult test;
  test.file = "a\xff.litmus";
  test.error = "\xff\n";
  EXPECT_EQ(parsed(test)["results"].size(), 0U);
}

TEST(Json, EmptyDocument) { EXPECT_EQ(nlohmann::json::parse(json_document("1", {}))["tests"].size(), 0U); }

TEST(JUnit, EscapesAndCounts) {
  EXPECT_EQ(xml_escape("a<b & \"c\"\x01"), "a&lt;b &amp; &quot;c&quot;?");
  // A byte that is not UTF-8, and U+FFFF, which XML does not allow, become U+FFFD. Other characters remain.
  EXPECT_EQ(xml_escape("n\xF6.litmus"), "n\xEF\xBF\xBD.litmus");
  EXPECT_EQ(xml_escape("\xEF\xBF\xBF\xC3\xB6"), "\xEF\xBF\xBD\xC3\xB6");
  auto program = test::sample_program();
  Expectation expectation;
  expectation.model = "toy";
  expectation.frequency = Frequency::Never;
  program->expectations.push_back(expectation);
  JUnit junit;
  junit.add(sample_result(test::sample_verdict(program)));
  junit.add(sample_result(test::sample_verdict()));
  TestResult bad;
  bad.file = "bad.litmus";
  bad.error = "bad";
  junit.add(bad);
  const std::string document = junit.document();
  EXPECT_THAT(document, HasSubstr("tests=\"3\" failures=\"1\" errors=\"1\" skipped=\"1\""));
  EXPECT_THAT(document, HasSubstr("<failure message=\"expected Never\">"));
  EXPECT_THAT(document, HasSubstr("classname=\"bad.litmus\""));
}

TEST(JUnit, UnknownIsAnError) {
  verdict::Verdict verdict = test::sample_verdict();
  verdict.unknown = UnknownReason::Timeout;
  JUnit junit;
  junit.add(sample_result(verdict));
  EXPECT_THAT(junit.document(), HasSubstr("failures=\"0\" errors=\"1\""));
}

}  // namespace
}  // namespace ambit::report
