#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/source.h"
#include "report/logs/campaign_log.h"
#include "report/results/tool_scores.h"

namespace ambit::report {

/// Returns the line of a tool's log with the answer about one test, without its line break.
std::string tool_row_json(const ToolRow& row);
/// Returns a tool's answers as one JSON document (docs/guide/tools.md).
std::string tool_json(const ToolTable& table, const std::string& version);

/// The log of a tool's campaign. One file can contain the logs of several shards.
struct ToolLog {
  SourceFilePtr source;
  CampaignHeader header;      ///< the first header
  std::vector<ToolRow> rows;  ///< one row for each test: the last row in the file
  bool is_cut = false;        ///< whether the last line was incomplete, and is therefore omitted
};
/// Reads a log. Errors: the header is missing; headers belong to different campaigns; a line is not a row; a test
/// number is outside the campaign.
Result<ToolLog> read_tool_log(const SourceFilePtr& source);
/// Returns whether a header belongs to a campaign that ran an external tool.
bool is_tool_campaign(const CampaignHeader& header);

/// Several logs of a tool's campaign merged into one log.
struct MergedToolLog {
  ToolLog log;
  std::vector<MissingShard> missing;
};
/// Merges the logs of a campaign's shards, in any order. If the tool failed on a test in one log but has an answer in
/// another log, keeps the answer. Errors: logs of different campaigns; two different answers about one test.
Result<MergedToolLog> merge_tool_logs(std::span<const ToolLog> logs);

}  // namespace ambit::report
