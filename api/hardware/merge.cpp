#include "api/hardware/campaign_file.h"

#include <fmt/format.h>

#include "api/files.h"
#include "base/plural.h"
#include "report/json/json.h"
#include "report/logs/campaign_log.h"
#include "report/logs/tool_log.h"

namespace ambit::api {
namespace {

std::string text_of(const report::MissingShard& missing) {
  const std::string tests = plural(missing.tests, "test") + " without a result";
  if (missing.shards == 1) return "the campaign is not finished: " + tests;
  return fmt::format("shard {} of {} is {}: {}", missing.shard, missing.shards,
                     missing.is_begun ? "not finished" : "missing", tests);
}

/// Reads the logs with `read`, and returns the readable logs. For each unreadable log, adds its errors to `errors`.
template <typename Log, typename Read>
std::vector<Log> read_logs(const std::vector<SourceFilePtr>& sources, const Read& read, MergedLogs& result,
                           Diagnostics& errors) {
  std::vector<Log> logs;
  for (const SourceFilePtr& source : sources) {
    Result<Log> log = read(source);
    if (!log.ok()) {
      errors.insert(errors.end(), log.errors().begin(), log.errors().end());
      continue;
    }
    if (log.value().is_cut) result.cut.push_back(source->path);
    logs.push_back(std::move(log).value());
  }
  return logs;
}

/// Adds the merged campaign to `result`.
template <typename Row>
void finish(const report::CampaignHeader& header, const std::vector<Row>& rows, std::string (*json)(const Row&),
            const std::vector<report::MissingShard>& missing, MergedLogs& result) {
  result.text = report::campaign_json(header) + "\n";
  for (const Row& row : rows) result.text += json(row) + "\n";
  for (const report::MissingShard& shard : missing) result.missing.push_back(text_of(shard));
}

/// Returns whether a log belongs to a campaign of an external tool.
bool is_of_tool(const SourceFilePtr& source) {
  const auto header = report::read_campaign_header(source->text.substr(0, source->text.find('\n')));
  return header && report::is_tool_campaign(*header);
}

}  // namespace

Result<MergedLogs> merge_logs(const std::vector<std::string>& paths) {
  MergedLogs result;
  std::vector<SourceFilePtr> sources;
  Diagnostics errors;
  for (const std::string& path : paths) {
    const auto source = read_results(path);
    if (!source.ok()) errors.insert(errors.end(), source.errors().begin(), source.errors().end());
    if (source.ok()) sources.push_back(source.value());
  }
  if (!sources.empty() && is_of_tool(sources.front())) {
    const auto logs = read_logs<report::ToolLog>(sources, report::read_tool_log, result, errors);
    if (!errors.empty()) return errors;
    const auto merged = report::merge_tool_logs(logs);
    if (!merged.ok()) return merged.errors();
    const report::ToolLog& log = merged.value().log;
    finish(log.header, log.rows, report::tool_row_json, merged.value().missing, result);
    return result;
  }
  const auto logs = read_logs<report::CampaignLog>(sources, report::read_campaign, result, errors);
  if (!errors.empty()) return errors;
  const auto merged = report::merge_campaigns(logs);
  if (!merged.ok()) return merged.errors();
  finish(merged.value().header, merged.value().rows, report::crossval_json, merged.value().missing, result);
  return result;
}

}  // namespace ambit::api
