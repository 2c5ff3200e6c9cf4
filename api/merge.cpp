#include "api/campaign_file.h"

#include <fmt/format.h>

#include "api/files.h"
#include "core/plural.h"
#include "report/json/json.h"
#include "report/logs/campaign_log.h"

namespace ambit::api {
namespace {

std::string text_of(const report::MissingShard& missing) {
  const std::string tests = plural(missing.tests, "test") + " without a result";
  if (missing.shards == 1) return "the campaign is not finished: " + tests;
  return fmt::format("shard {} of {} is {}: {}", missing.shard, missing.shards,
                     missing.is_begun ? "not finished" : "missing", tests);
}

}  // namespace

Result<MergedLogs> merge_logs(const std::vector<std::string>& paths) {
  MergedLogs result;
  std::vector<report::CampaignLog> logs;
  Diagnostics errors;
  for (const std::string& path : paths) {
    const auto source = read_results(path);
    auto log = source.ok() ? report::read_campaign(source.value()) : Result<report::CampaignLog>(source.errors());
    if (!log.ok()) {
      errors.insert(errors.end(), log.errors().begin(), log.errors().end());
      continue;
    }
    if (log.value().is_cut) result.cut.push_back(path);
    logs.push_back(std::move(log).value());
  }
  if (!errors.empty()) return errors;
  const auto merged = report::merge_campaigns(logs);
  if (!merged.ok()) return merged.errors();
  result.text = report::campaign_json(merged.value().header) + "\n";
  for (const report::CrossRow& row : merged.value().rows) result.text += report::crossval_json(row) + "\n";
  for (const report::MissingShard& missing : merged.value().missing) result.missing.push_back(text_of(missing));
  return result;
}

}  // namespace ambit::api
