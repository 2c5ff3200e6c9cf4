#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/source.h"
#include "report/logs/campaign_log.h"
#include "report/results/tool_scores.h"

namespace ambit::report {

/// A row of a tool's log, without the end of the line.
std::string tool_row_json(const ToolRow& row);
/// A tool's answers as one JSON document (docs/tools.md).
std::string tool_json(const ToolTable& table, const std::string& version);

/// The log of a tool's campaign as read. Logs of several shards may stand behind each other in one file.
struct ToolLog {
  SourceFilePtr source;
  CampaignHeader header;      ///< the first one
  std::vector<ToolRow> rows;  ///< a later row of a test replaces an earlier one
  bool is_cut = false;        ///< the last line was incomplete; it is left out
};
/// Reads a log. Errors: no header, headers of different campaigns, a line that is not a row, a test number outside the
/// campaign.
Result<ToolLog> read_tool_log(const SourceFilePtr& source);
/// The header is that of the log of a tool's campaign.
bool is_tool_campaign(const CampaignHeader& header);

/// Several logs of a tool's campaign as one.
struct MergedToolLog {
  ToolLog log;
  std::vector<MissingShard> missing;
};
/// Merges the logs of a campaign's shards, in any order. An answer stands for a failure of the tool in another log.
/// Errors: logs of different campaigns; two different answers about one test.
Result<MergedToolLog> merge_tool_logs(std::span<const ToolLog> logs);

}  // namespace ambit::report
