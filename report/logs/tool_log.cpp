#include "report/logs/tool_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <sstream>
#include <utility>

#include "base/assert.h"

namespace ambit::report {
namespace {

using Json = nlohmann::ordered_json;

Json row_json(const ToolRow& row) {
  Json json = {{"number", row.number}, {"file", row.file}, {"test", row.test}};
  json["label"] = row.label ? Json(*row.label ? "race" : "norace") : Json();
  json["answer"] = to_string(row.answer);
  if (!row.why.empty()) json["why"] = row.why;
  if (!row.reports.empty()) json["reports"] = row.reports;
  return json;
}

std::string dumped(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

std::optional<ToolRow> read_row(const std::string& line) {
  try {
    const Json json = Json::parse(line);
    const auto answer = answer_from_string(json.at("answer").get<std::string>());
    if (!answer || !json.at("number").is_number_unsigned()) return std::nullopt;
    ToolRow row;
    row.number = json.at("number").get<std::uint64_t>();
    row.file = json.at("file").get<std::string>();
    row.test = json.at("test").get<std::string>();
    if (!json.at("label").is_null()) row.label = json.at("label").get<std::string>() == "race";
    row.answer = *answer;
    row.why = json.value("why", std::string());
    row.reports = json.value("reports", std::vector<std::string>());
    return row;
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

}  // namespace

std::string tool_row_json(const ToolRow& row) { return dumped(row_json(row)); }

std::string tool_json(const ToolTable& table, const std::string& version) {
  const ToolScores scores = scores_of(table);
  Json json = {{"ambit", version}, {"format", 1}, {"tool", table.tool}, {"suite", table.suite}, {"runs", table.runs}};
  json["against_label"] = {{"true_positives", scores.found},   {"false_positives", scores.false_alarms},
                           {"false_negatives", scores.missed}, {"true_negatives", scores.silent},
                           {"no_label", scores.unlabelled},    {"no_program", scores.no_program},
                           {"failed", scores.failed},          {"not_run", table.not_run}};
  json["tests"] = Json::array();
  for (const ToolRow& row : table.rows) json["tests"].push_back(row_json(row));
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<ToolLog> read_tool_log(const SourceFilePtr& source) {
  ToolLog log;
  log.source = source;
  std::map<std::uint64_t, ToolRow> rows;
  bool has_header = false;
  const bool has_torn_end = !source->text.ends_with('\n');
  std::istringstream lines(source->text);
  std::uint32_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    const auto fail = [&](std::string message, std::string hint) {
      return Diagnostic{source, {number, 1, 1}, std::move(message), std::move(hint)};
    };
    if (auto header = read_campaign_header(line)) {
      const bool is_same =
          !has_header || (header->corpus == log.header.corpus && header->settings == log.header.settings);
      if (!is_same)
        return fail("the log of another campaign begins here", "tests, tool, adapter and runs must be the same");
      if (!has_header) log.header = *std::move(header);
      has_header = true;
      continue;
    }
    if (!has_header)
      return fail("this is not the log of a campaign: the first line is not its header",
                  "ambit validate --tool --log writes such logs");
    auto row = read_row(line);
    if (!row && lines.eof() && has_torn_end) {
      log.is_cut = true;
      break;
    }
    if (!row)
      return fail("this line is not an answer of a tool", "each line is an answer that ambit validate --tool wrote");
    if (row->number >= log.header.tests)
      return fail(fmt::format("the campaign has no test number {}", row->number), "");
    const std::uint64_t test = row->number;
    rows.insert_or_assign(test, *std::move(row));
  }
  for (auto& [test, row] : rows) log.rows.push_back(std::move(row));
  return log;
}

bool is_tool_campaign(const CampaignHeader& header) {
  return std::ranges::any_of(header.settings, [](const auto& setting) { return setting.first == "tool"; });
}

Result<MergedToolLog> merge_tool_logs(std::span<const ToolLog> logs) {
  AMBIT_ASSERT(!logs.empty());
  MergedToolLog merged;
  merged.log.header = logs.front().header;
  std::map<std::uint64_t, ToolRow> rows;
  std::set<std::uint64_t> answered;
  for (const ToolLog& log : logs) {
    Diagnostics wrong = differences(logs.front().header, logs.front().source->path, log.header, log.source);
    if (!wrong.empty()) return wrong;
    if (log.header.shards != merged.log.header.shards) merged.log.header.shards = 1;
    for (const ToolRow& row : log.rows) {
      const auto [known, is_new] = rows.try_emplace(row.number, row);
      const bool had_failed = known->second.answer == ToolRow::Answer::Failed;
      if (had_failed) known->second = row;
      if (!is_new && !had_failed && row.answer != ToolRow::Answer::Failed && row.answer != known->second.answer) {
        return Diagnostic{log.source,
                          {1, 1, 1},
                          fmt::format("'{}' has two different answers: '{}' here, '{}' in another log", row.test,
                                      to_string(row.answer), to_string(known->second.answer)),
                          "a tool whose answers vary from run to run needs a separate campaign for each run"};
      }
      answered.insert(row.number);
    }
  }
  merged.missing = missing_shards(merged.log.header, answered);
  merged.log.header.shard = merged.log.header.shards = 1;
  for (auto& [number, row] : rows) merged.log.rows.push_back(std::move(row));
  return merged;
}

}  // namespace ambit::report
