#include "report/logs/campaign_log.h"
#include "report/json/json.h"
#include "report/text/result_texts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace ambit::report {
namespace {

using testing::HasSubstr;

constexpr const char* kA = "P1:r0 == 0";
constexpr const char* kB = "P1:r0 == 1";

/// A campaign of four tests, divided into two shards.
CampaignHeader header(std::uint32_t shard = 1, std::uint32_t shards = 2) {
  return {"0123", 4, shard, shards, {{"models", "ptx"}, {"record", "100"}}};
}

CrossRow row(std::uint64_t number, std::uint64_t seed = 1) {
  CrossRow result;
  result.number = number;
  result.file = "t.litmus";
  result.test = "t" + std::to_string(number);
  result.device = "H100";
  result.seed = seed;
  result.runs = 10;
  result.recorded = 4;
  result.traces = 2;
  result.weak = 1;
  result.histogram = {{kA, 10, {"ptx"}, {}}};
  result.models = {{"ptx", true, 2, true, 0, {}}};
  result.detectors = {{"gwcp", 1}};
  result.count_outcomes();
  return result;
}

std::string text_of(const CampaignHeader& header, const std::vector<CrossRow>& rows) {
  std::string text = campaign_json(header) + "\n";
  for (const CrossRow& one : rows) text += crossval_json(one) + "\n";
  return text;
}

Result<CampaignLog> log_read_from(const std::string& text, const std::string& name = "a.jsonl") {
  return read_campaign(std::make_shared<const SourceFile>(SourceFile{name, text}));
}

CampaignLog log(const std::string& name, const CampaignHeader& header, const std::vector<CrossRow>& rows) {
  const auto result = log_read_from(text_of(header, rows), name);
  EXPECT_TRUE(result.ok());
  return result.value();
}

std::string errors_of(const std::vector<CampaignLog>& logs) {
  const auto merged = merge_campaigns(logs);
  return merged.ok() ? "" : render(merged.errors());
}

TEST(CampaignLog, ReadsBackAsWritten) {
  const auto result = log_read_from(text_of(header(2), {row(1), row(3)}));
  ASSERT_TRUE(result.ok()) << render(result.errors());
  EXPECT_EQ(campaign_json(result.value().header), campaign_json(header(2)));
  ASSERT_EQ(result.value().rows.size(), 2U);
  EXPECT_EQ(result.value().rows[1].test, "t3");
  EXPECT_FALSE(result.value().is_cut);
}

// If a campaign is killed while it writes a line, the log loses only this line.
TEST(CampaignLog, ALastLineThatWasCutOffIsLeftOut) {
  const auto result = log_read_from(text_of(header(), {row(0)}) + crossval_json(row(2)).substr(0, 40));
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result.value().rows.size(), 1U);
  EXPECT_TRUE(result.value().is_cut);
  // If a line lacks only its line end, the reader keeps the line.
  EXPECT_EQ(log_read_from(text_of(header(), {row(0)}) + crossval_json(row(2))).value().rows.size(), 2U);
}

TEST(CampaignLog, AnyOtherBadLineIsAnError) {
  const auto error = [](const std::string& text) {
    const auto result = log_read_from(text);
    return result.ok() ? "" : render(result.errors());
  };
  EXPECT_THAT(error(text_of(header(), {}) + "{}\n" + crossval_json(row(0)) + "\n"),
              HasSubstr("a.jsonl:2:1: error: this line is not a result of a campaign"));
  EXPECT_THAT(error(crossval_json(row(0)) + "\n"), HasSubstr("a.jsonl:1:1: error: this is not the log of a campaign"));
  EXPECT_THAT(error(""), HasSubstr("this is not the log of a campaign"));
  EXPECT_THAT(error(text_of(header(1), {row(0)}) + text_of(header(2), {row(1)})),
              HasSubstr("a.jsonl:3:1: error: another log begins here"));
  EXPECT_THAT(error(text_of(header(), {row(4)})), HasSubstr("the campaign has no test number 4"));
}

TEST(CampaignLog, ShardsMergeInAnyOrder) {
  const CampaignLog first = log("a", header(1), {row(2), row(0)});
  const CampaignLog second = log("b", header(2), {row(1), row(3)});
  const auto merged = merge_campaigns(std::vector{first, second});
  const auto other = merge_campaigns(std::vector{second, first});
  ASSERT_TRUE(merged.ok() && other.ok());
  EXPECT_TRUE(merged.value().missing.empty());
  EXPECT_EQ(campaign_json(merged.value().header), campaign_json(header(1, 1)));
  EXPECT_EQ(text_of(merged.value().header, merged.value().rows),
            text_of(header(1, 1), {row(0), row(1), row(2), row(3)}));
  EXPECT_EQ(text_of(merged.value().header, merged.value().rows), text_of(other.value().header, other.value().rows));
}

TEST(CampaignLog, EqualResultsAreKeptOnceAndOthersBeside) {
  const auto merged =
      merge_campaigns(std::vector{log("a", header(1), {row(0), row(0, 2)}), log("b", header(1), {row(0)})});
  ASSERT_TRUE(merged.ok());
  ASSERT_EQ(merged.value().rows.size(), 2U);
  EXPECT_EQ(merged.value().rows[0].seed, 1U);
  EXPECT_EQ(merged.value().rows[1].seed, 2U);
}

TEST(CampaignLog, MissingTestsAreNamed) {
  const auto merged = merge_campaigns(std::vector{log("a", header(1), {row(0)})});
  ASSERT_TRUE(merged.ok());
  const auto& missing = merged.value().missing;
  ASSERT_EQ(missing.size(), 2U);
  EXPECT_EQ(missing[0].shard, 1U);
  EXPECT_EQ(missing[0].tests, 1U);  // test 2
  EXPECT_TRUE(missing[0].is_begun);
  EXPECT_EQ(missing[1].shard, 2U);
  EXPECT_EQ(missing[1].tests, 2U);  // tests 1 and 3
  EXPECT_FALSE(missing[1].is_begun);
}

// Logs of one campaign can be merged even if they divide the campaign differently: here, one log has all tests, and the
// other log is shard 4 of 4. The result lists the tests that are still missing.
TEST(CampaignLog, PartsOfSeveralDivisionsMerge) {
  const auto merged =
      merge_campaigns(std::vector{log("a", header(1, 1), {row(0), row(1)}), log("b", header(4, 4), {row(3)})});
  ASSERT_TRUE(merged.ok());
  ASSERT_EQ(merged.value().missing.size(), 1U);
  EXPECT_EQ(merged.value().missing[0].shards, 1U);
  EXPECT_EQ(merged.value().missing[0].tests, 1U);
}

TEST(CampaignLog, OtherCampaignsAreNotParts) {
  CampaignHeader other = header(2);
  other.corpus = "4567";
  other.tests = 5;
  EXPECT_THAT(errors_of({log("a", header(), {}), log("b", other, {})}),
              HasSubstr("b:1:1: error: not the same campaign as a: different tests (4 there, 5 here)"));
  other = header(2);
  other.settings[1].second = "200";
  EXPECT_THAT(errors_of({log("a", header(), {}), log("b", other, {})}),
              HasSubstr("not the same campaign as a: record is 100 there and 200 here"));
  other.settings = {{"models", "ptx"}, {"runs", "3"}};
  const std::string text = errors_of({log("a", header(), {}), log("b", other, {})});
  EXPECT_THAT(text, HasSubstr("record is 100 there and not given here"));
  EXPECT_THAT(text, HasSubstr("runs is not given there and 3 here"));
}

TEST(CampaignLog, ContradictionsAreErrors) {
  CrossRow other = row(0, 2);
  other.models[0].allowed = 3;
  EXPECT_THAT(errors_of({log("a", header(), {row(0)}), log("b", header(), {other})}),
              HasSubstr("ptx has two different answers for 't0'"));
  // If a model ran out of time, it contradicts no result.
  other.models[0].is_complete = false;
  EXPECT_EQ(errors_of({log("a", header(), {row(0)}), log("b", header(), {other})}), "");
}

// In the second log, the model ran out of time, so this log has no verdict. Only the first and the third log can
// contradict each other.
TEST(CampaignLog, EachResultIsComparedWithAllOthersOfItsTest) {
  CrossRow open = row(0, 2);
  open.models[0].is_complete = false;
  open.models[0].race.reset();
  CrossRow other = row(0, 3);
  other.models[0].race = false;
  const std::vector<CampaignLog> logs = {log("a", header(), {row(0)}), log("b", header(), {open}),
                                         log("c", header(), {other})};
  EXPECT_THAT(errors_of(logs), HasSubstr("c:1:1: error: a and this file: ptx has two different answers for 't0'"));
  EXPECT_THAT(errors_of({log("d", header(), {row(0), other})}),
              HasSubstr("d:1:1: error: two results of this file: ptx has two different answers"));
}

TEST(CampaignLog, AnOutcomeIsAllowedOrForbiddenNotBoth) {
  CrossRow other = row(0, 2);
  other.histogram = {{kA, 10, {}, {"ptx"}}};
  EXPECT_THAT(errors_of({log("a", header(), {row(0)}), log("b", header(), {other})}),
              HasSubstr("ptx has two different answers for 't0'"));
}

// In the two logs, tests with different names have the same number. The logs are from one corpus, so someone must have
// changed one of the logs by hand.
TEST(CampaignLog, ANumberIsOneTest) {
  CrossRow other = row(0, 2);
  other.test = "u";
  EXPECT_THAT(errors_of({log("a", header(), {row(0)}), log("b", header(), {other})}),
              HasSubstr("test number 0 is 't0' in one and 'u' in the other"));
}

// An older version of Ambit wrote the first log and did not record the rules. A merge of both logs records no rules.
TEST(CampaignLog, OlderFilesLackTheRules) {
  CampaignHeader with_rules = header(2);
  with_rules.settings.emplace_back(kRulesSetting, "abc");
  const CampaignLog older = log("a", header(1), {row(0), row(2)});
  const CampaignLog newer = log("b", with_rules, {row(1), row(3)});
  for (const auto& logs : {std::vector{older, newer}, std::vector{newer, older}}) {
    const auto merged = merge_campaigns(logs);
    ASSERT_TRUE(merged.ok()) << render(merged.errors());
    EXPECT_EQ(merged.value().header.settings, header().settings);
  }
  CampaignHeader changed = with_rules;
  changed.settings.back().second = "abd";
  // Two logs with different rules are an error, even if a log without rules is between them.
  EXPECT_THAT(errors_of({newer, older, log("c", changed, {row(1)})}),
              HasSubstr("c:1:1: error: not the same campaign as b: rules is abc there and abd here"));
}

TEST(CampaignLog, ManyShardsOfFewTests) {
  const auto merged = merge_campaigns(std::vector{log("a", header(1, kMostShards), {row(0)})});
  ASSERT_TRUE(merged.ok());
  EXPECT_EQ(merged.value().missing.size(), 3U);  // tests 1, 2 and 3, one in each of three shards
  CampaignHeader endless = header(1, 1);
  endless.tests = ~std::uint64_t{0};
  const auto rest = merge_campaigns(std::vector{log("a", endless, {row(0)})});
  ASSERT_TRUE(rest.ok());
  ASSERT_EQ(rest.value().missing.size(), 1U);
  EXPECT_EQ(rest.value().missing[0].tests, ~std::uint64_t{0} - 1);
}

TEST(CampaignLog, AHeaderHasCountsAndAShardOfThem) {
  const auto is_read = [](const std::string& from, const std::string& to) {
    std::string text = text_of(header(), {});
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos);
    return log_read_from(text.replace(at, from.size(), to)).ok();
  };
  EXPECT_TRUE(is_read("\"shards\":2", "\"shards\":3"));
  EXPECT_FALSE(is_read("\"shards\":2", "\"shards\":65537"));
  EXPECT_FALSE(is_read("\"shards\":2", "\"shards\":4294967298"));  // 2 in 32 bits
  EXPECT_FALSE(is_read("\"shard\":1", "\"shard\":-4294967295"));
  EXPECT_FALSE(is_read("\"tests\":4", "\"tests\":4.5"));
}

TEST(CampaignLog, AResultBelongsToTheShardOfItsFile) {
  const auto result = log_read_from(text_of(header(2), {row(2)}));
  ASSERT_FALSE(result.ok());
  EXPECT_THAT(render(result.errors()), HasSubstr("a.jsonl:2:1: error: test number 2 does not belong to shard 2/2"));
}

TEST(CampaignLog, OtherNumbersOfTestsAreOtherTests) {
  CampaignHeader other = header(2);
  other.tests = 5;
  EXPECT_THAT(errors_of({log("a", header(), {}), log("b", other, {})}), HasSubstr("different tests (4 there, 5 here)"));
}

// One run saw a forbidden outcome before a launch hung. A merge with a run without errors must keep both the hang and
// the outcome.
TEST(CampaignLog, ResultsOfARunWithAnErrorCount) {
  CrossRow hung = row(0, 1);
  hung.error = "the launch was abandoned";
  hung.histogram = {{kA, 9, {"ptx"}, {}}, {kB, 1, {}, {"ptx"}}};
  hung.detectors.clear();
  CrossRow well = row(0, 2);
  well.device = "H200";
  for (const auto& rows : {std::vector{hung, well}, std::vector{well, hung}}) {
    const CrossRow sum = combined(rows).at(0);
    EXPECT_EQ(sum.error, "H100, seed 1: the launch was abandoned");
    EXPECT_TRUE(sum.has_forbidden());
    EXPECT_TRUE(sum.is_open());
    EXPECT_EQ(sum.runs, 20U);
    ASSERT_EQ(sum.detectors.size(), 1U);
    EXPECT_EQ(sum.detectors[0].racy, 1U);
    const std::string text = crossval_text(std::vector{sum}, {});
    EXPECT_THAT(text, HasSubstr("FORBIDDEN  t0: ptx forbids P1:r0 == 1 (1 of 20 runs)"));
    EXPECT_THAT(text, HasSubstr("t0: H100, seed 1: the launch was abandoned\n"));
  }
}

TEST(CampaignLog, CountsOfSeveralRunsAreAddedUp) {
  CrossRow second = row(0, 2);
  second.device = "H200";
  second.histogram = {{kA, 4, {}, {}}, {kB, 6, {}, {"ptx"}}};
  second.models[0].is_complete = false;
  CrossRow failed;
  failed.file = "t.litmus";
  failed.test = "t0";
  failed.device = "H100";
  failed.seed = 3;
  failed.error = "a hang";
  const std::vector<CrossRow> rows = combined(std::vector{failed, row(0), second, row(1)});
  ASSERT_EQ(rows.size(), 2U);
  const CrossRow& sum = rows[0];
  EXPECT_EQ(sum.error, "H100, seed 3: a hang");
  EXPECT_EQ(sum.device, "H100, H200");
  EXPECT_THAT(crossval_json(sum), HasSubstr("\"seeds\":[3,1,2]"));
  EXPECT_THAT(crossval_json(rows[1]), Not(HasSubstr("\"seeds\"")));
  EXPECT_EQ(sum.runs, 20U);
  ASSERT_EQ(sum.histogram.size(), 2U);
  EXPECT_EQ(sum.histogram[0].runs, 14U);
  EXPECT_EQ(sum.outcomes, 2U);
  EXPECT_EQ(sum.recorded, 8U);
  EXPECT_EQ(sum.traces, 4U);
  EXPECT_EQ(sum.weak, 2U);
  EXPECT_EQ(sum.detectors[0].racy, 2U);
  EXPECT_TRUE(sum.models[0].is_complete);
  EXPECT_EQ(sum.models[0].seen, 1U);  // only the first run judged the outcome kA
  EXPECT_EQ(sum.models[0].forbidden, std::vector<std::string>{"P1:r0 == 1 (6 of 20 runs)"});
}

// Two parts of a campaign with a time budget can have equal counts by chance. So the merge must not treat equal parts
// as duplicates.
TEST(CampaignLog, PartsOfOneSeedAreAddedUp) {
  CrossRow first = row(0);
  first.spent_milliseconds = 40;
  CrossRow second = row(0);
  second.part = 1;
  second.spent_milliseconds = 80;
  CrossRow third = second;
  third.part = 2;
  const CampaignLog campaign = log("a.jsonl", header(1, 1), {first, second, third, third});
  EXPECT_EQ(campaign.rows[1].part, 1U);
  EXPECT_EQ(campaign.rows[1].spent_milliseconds, 80U);
  const auto merged = merge_campaigns(std::vector{campaign});
  ASSERT_TRUE(merged.ok()) << render(merged.errors());
  ASSERT_EQ(merged.value().rows.size(), 3U);
  const std::vector<CrossRow> sums = combined(merged.value().rows);
  ASSERT_EQ(sums.size(), 1U);
  EXPECT_EQ(sums[0].runs, 30U);
  EXPECT_EQ(sums[0].spent_milliseconds, 200U);
  EXPECT_TRUE(sums[0].more_seeds.empty());
}

TEST(CampaignLog, DetectorsInTheKernelAreAddedUp) {
  CrossRow first = row(0);
  first.in_gpu = {{"scord", 100, 4, 1, 50, 0, 1, {{"a", "b", "k", 50}}, ""},
                  {"iguard", 0, 0, 0, 0, 0, 0, {}, "no memory"}};
  CrossRow second = row(0, 2);
  second.in_gpu = {{"scord", 10, 1, 0, 9, 2, 1, {{"a", "b", "k", 3}, {"a", "c", "k", 6}}, ""},
                   {"iguard", 10, 0, 0, 10, 0, 1, {}, ""}};
  const std::vector<CrossRow> rows = combined(std::vector{first, second});
  ASSERT_EQ(rows.size(), 1U);
  ASSERT_EQ(rows[0].in_gpu.size(), 2U);
  const Detections& sum = rows[0].in_gpu[0];
  EXPECT_EQ(sum.runs, 110U);
  EXPECT_EQ(sum.left_out, 5U);
  EXPECT_EQ(sum.without_verdict, 1U);
  EXPECT_EQ(sum.racy, 59U);
  EXPECT_EQ(sum.uncounted, 2U);
  ASSERT_EQ(sum.races.size(), 2U);
  EXPECT_EQ(sum.races[0].runs, 53U);
  EXPECT_EQ(rows[0].in_gpu[1].not_run, "");  // the test ran on only one of two machines
  EXPECT_EQ(rows[0].in_gpu[1].racy, 10U);
}

}  // namespace
}  // namespace ambit::report
