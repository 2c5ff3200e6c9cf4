#include "report/text/result_texts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "report/json/json.h"

namespace ambit::report {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// Returns the source text at a site. The test has source text only for k.cu:2.
std::string source_line(std::string_view site) { return site == "k.cu:2" ? "*x = 1;" : ""; }

/// Returns a race on x. Block 0 writes x at k.cu:2, and then block 1 reads x atomically at k.cu:5.
RaceReport sample_race(TraceTables& tables) {
  RaceReport race;
  race.first = {tables.thread(0, 0, 0), tables.site("k.cu:2"), 3, true, false};
  race.second = {tables.thread(0, 1, 0), tables.site("k.cu:5"), 8, false, true};
  race.location = tables.location("x");
  race.kind = RaceKind::NotAtomic;
  race.level = RaceLevel::Device;
  race.sentence = "b0t0 writes x (k.cu:2), b1t0 atomically reads x (k.cu:5): one of them is not atomic";
  return race;
}

DetectionResult sample_result() {
  DetectionResult result;
  result.source = "k.trace";
  result.events = 9;
  result.tables.launch.grid = {2, 1, 1};
  DetectorFindings& findings = result.detectors.emplace_back();
  findings.detector = "barracuda";
  add_race(findings, sample_race(result.tables), result.tables);
  result.detectors.emplace_back().detector = "gwcp(overlap=either)";
  return result;
}

std::string text_of(const DetectionResult& result) { return detection_text(result, source_line, Style{}); }

nlohmann::json json_of(const DetectionResult& result) {
  return nlohmann::json::parse(detection_json(result, source_line));
}

TEST(DetectionText, HasBothAccessesTheReasonAndSilentDetectors) {
  EXPECT_EQ(text_of(sample_result()), R"(k.trace: 9 events

barracuda
  race on x: not atomic, device level
    b0t0 write  k.cu:2  event 3
      *x = 1;
    b1t0 atomic read  k.cu:5  event 8
    one of them is not atomic

detector              races
----------------------------
barracuda             1 pair
gwcp(overlap=either)  none
)");
}

TEST(DetectionText, UnkeptDetailsAreOmitted) {
  DetectionResult result = sample_result();
  RaceReport& race = result.detectors[0].races[0];
  race.first = {};  // the detector has recorded a read, but not its place or thread
  race.location = kNoName;
  race.sentence = "read by another warp since the last barrier";
  EXPECT_THAT(text_of(result), HasSubstr("  race on memory: not atomic, device level\n"
                                         "    a thread read\n"
                                         "    b1t0 atomic read  k.cu:5  event 8\n"
                                         "    read by another warp since the last barrier\n"));
}

TEST(DetectionText, OftenAsCountOfOneTraceAndAsRunsOfSeveral) {
  DetectionResult result = sample_result();
  result.detectors[0].races[0].count = 37;
  EXPECT_THAT(text_of(result), HasSubstr("device level, 37 times\n"));
  result.is_trace = false;
  result.runs = 120;
  result.runs_are = "all schedules that differ, sc memory";
  result.detectors[0].runs = {36};
  result.detectors[0].pairs[0].runs = 36;
  result.detectors[0].racy_runs = 36;
  const std::string text = text_of(result);
  EXPECT_THAT(text, HasSubstr("k.trace: 120 runs (all schedules that differ, sc memory)\n"));
  EXPECT_THAT(text, HasSubstr("device level, in 36 of 120 runs\n"));
  EXPECT_THAT(text, HasSubstr("1 pair, in 36 of 120 runs\n"));
  EXPECT_THAT(text, Not(HasSubstr("times")));
}

TEST(DetectionText, RacesBetweenTheSamePlacesAreOneWithACountOfThreads) {
  DetectionResult result = sample_result();
  DetectorFindings& findings = result.detectors[0];
  findings.races.clear();
  findings.pairs.clear();
  for (std::uint32_t block = 1; block <= 4; ++block) {
    RaceReport race = sample_race(result.tables);
    race.second.thread = result.tables.thread(0, block, 0);
    race.location = result.tables.location(fmt::format("data[{}]", block));
    if (block == 3) std::swap(race.first, race.second);  // the order of the two accesses does not matter
    if (block == 4) race.kind = RaceKind::MissingFence;
    EXPECT_EQ(add_race(findings, race, result.tables), 0U);
  }
  RaceReport other = sample_race(result.tables);  // equal places, another variable
  EXPECT_EQ(add_race(findings, other, result.tables), 1U);
  other.second.site = kNoName;  // an unknown place differs from every other place
  EXPECT_EQ(add_race(findings, other, result.tables), 2U);
  EXPECT_EQ(add_race(findings, other, result.tables), 3U);
  const std::string text = text_of(result);
  EXPECT_THAT(text, HasSubstr("  race on data[1], data[2], data[3] and 1 more: not atomic or missing fence, device "
                              "level, 4 times; 4 pairs of threads, such as\n    b0t0 write  k.cu:2  event 3\n"));
  EXPECT_THAT(text, HasSubstr("\n  race on x: not atomic, device level\n    b0t0"));
  EXPECT_THAT(text, HasSubstr("barracuda             4 pairs\n"));
  EXPECT_EQ(json_of(result)["detectors"][0]["races"].size(), 7U);  // each separately
}

TEST(DetectionText, OneRunIsNotRuns) {
  DetectionResult result = sample_result();
  result.is_trace = false;
  result.runs = 1;
  result.detectors[0].runs = {1};
  result.detectors[0].pairs[0].runs = 1;
  result.detectors[0].racy_runs = 1;
  EXPECT_THAT(text_of(result), HasSubstr("in 1 of 1 run\n"));
  EXPECT_THAT(text_of(result), HasSubstr("k.trace: 1 run ("));
}

TEST(DetectionText, OpenSectionsRemarksAndWhatIsNotJudged) {
  DetectionResult result = sample_result();
  result.open_sections = {"b0t0 holds l", "b1t0 holds m"};
  result.detectors[1].remarks = {"k.cu:3: 2-way bank conflict"};
  DetectorFindings& last = result.detectors.emplace_back();
  last.detector = "ldetector";
  last.not_judged = "it runs a program itself";
  const std::string text = text_of(result);
  EXPECT_THAT(text, HasSubstr("ends inside critical sections: b0t0 holds l, b1t0 holds m\n"));
  EXPECT_THAT(text, HasSubstr("\ngwcp(overlap=either)\n  k.cu:3: 2-way bank conflict\n"));
  EXPECT_THAT(text, HasSubstr("\nldetector\n  not judged: it runs a program itself\n"));
  // For a detector without an answer, the text must not say that the detector found no race.
  EXPECT_THAT(text, HasSubstr("ldetector             not judged\n"));
}

TEST(DetectionText, GivingUpIsUnknownUnlessARaceWasFound) {
  DetectionResult result = sample_result();
  result.detectors[0].is_open = true;
  result.detectors[1].is_open = true;
  EXPECT_THAT(text_of(result), HasSubstr("gwcp(overlap=either)  not known\n"));
  EXPECT_THAT(text_of(result), HasSubstr("1 pair\n"));
  EXPECT_EQ(json_of(result)["detectors"][1]["is_open"], true);
  result.detectors[1].is_open = false;
  EXPECT_THAT(text_of(result), HasSubstr("gwcp(overlap=either)  none\n"));
}

TEST(DetectionText, WitnessesAreShownAndLongOnesCutInFront) {
  DetectionResult result = sample_result();
  RaceReport& race = result.detectors[0].races[0];
  EXPECT_THAT(text_of(result), Not(HasSubstr("next")));
  race.witness.emplace();
  EXPECT_THAT(text_of(result), HasSubstr("    both accesses can come next at the start\n"));
  race.witness = {4, 5};
  EXPECT_THAT(text_of(result), HasSubstr("    a run after which both can come next: events 4 5\n"));
  race.witness.emplace();
  for (std::uint64_t event = 0; event < 20; ++event) race.witness->push_back(event);
  // The text shows the twelve events that are closest to the race.
  EXPECT_THAT(text_of(result), HasSubstr("8 events, then events 8 9 10 11 12 13 14 15 16 17 18 19\n"));
}

TEST(DetectionText, TheReasonIsFoundAfterASiteWithParentheses) {
  DetectionResult result = sample_result();
  RaceReport& race = result.detectors[0].races[0];
  race.second.site = result.tables.site("f(int):5");
  race.sentence = "b0t0 writes x (k.cu:2), b1t0 atomically reads x (f(int):5): (why): because";
  EXPECT_THAT(text_of(result), HasSubstr("\n    (why): because\n"));
}

TEST(DetectionJson, HasTheTextsContentsAndNullForUnknown) {
  const DetectionResult result = sample_result();
  const auto document = nlohmann::json::parse(json_document("1.2.3", {detection_json(result, source_line)}, "results"));
  EXPECT_EQ(document["ambit"], "1.2.3");
  EXPECT_EQ(document["format"], 1);
  const nlohmann::json json = document["results"][0];
  EXPECT_EQ(json["source"], "k.trace");
  EXPECT_EQ(json["events"], 9);
  EXPECT_FALSE(json.contains("runs"));
  const nlohmann::json& race = json["detectors"][0]["races"][0];
  EXPECT_EQ(race["location"], "x");
  EXPECT_EQ(race["kind"], "not atomic");
  EXPECT_EQ(race["level"], "device");
  EXPECT_EQ(race["first"]["thread"], "b0t0");
  EXPECT_EQ(race["first"]["text"], "*x = 1;");
  EXPECT_EQ(race["first"]["write"], true);
  EXPECT_EQ(race["second"]["text"], nullptr);
  EXPECT_EQ(race["second"]["atomic"], true);
  EXPECT_EQ(race["second"]["event"], 8);
  EXPECT_EQ(race["count"], 1);
  EXPECT_FALSE(race.contains("witness"));
  EXPECT_EQ(json["detectors"][1]["races"], nlohmann::json::array());
  EXPECT_EQ(json["detectors"][1]["not_judged"], nullptr);
}

TEST(DetectionJson, RunsWitnessAndWhatIsIncomplete) {
  DetectionResult result = sample_result();
  result.is_trace = false;
  result.runs = 7;
  result.incomplete = "there are more than 7 runs";
  result.detectors[0].runs = {2};
  result.detectors[0].racy_runs = 2;
  result.detectors[0].races[0].witness = {4, 5};
  result.detectors[0].races.push_back(result.detectors[0].races[0]);
  result.detectors[0].races[1].witness.emplace();
  result.detectors[0].runs = {2, 1};
  result.detectors[1].not_judged = "why";
  const nlohmann::json json = json_of(result);
  EXPECT_FALSE(json.contains("events"));
  EXPECT_EQ(json["runs"], 7);
  EXPECT_EQ(json["incomplete"], "there are more than 7 runs");
  EXPECT_EQ(json["detectors"][0]["racy_runs"], 2);
  EXPECT_EQ(json["detectors"][0]["races"][0]["runs"], 2);
  EXPECT_EQ(json["detectors"][0]["races"][0]["witness"], (nlohmann::json{4, 5}));
  // At the start of the run, both accesses can come next. So the empty sequence of events is a witness.
  EXPECT_EQ(json["detectors"][0]["races"][1]["witness"], nlohmann::json::array());
  EXPECT_EQ(json["detectors"][1]["not_judged"], "why");
  result.incomplete.clear();
  EXPECT_EQ(json_of(result)["incomplete"], nullptr);
}

TEST(DetectionJson, SeveralInputsAreOneDocumentAndBadTextIsReplaced) {
  std::vector<DetectionResult> results{sample_result(), sample_result()};
  results[1].source = "bad\xff.trace";  // not UTF-8: the document must still be valid
  const std::vector<std::string> elements{detection_json(results[0], source_line),
                                          detection_json(results[1], source_line)};
  const auto document = nlohmann::json::parse(json_document("1.2.3", elements, "results"));
  ASSERT_EQ(document["results"].size(), 2U);
  EXPECT_EQ(document["results"][1]["source"], "bad\xef\xbf\xbd.trace");
}

}  // namespace
}  // namespace ambit::report
