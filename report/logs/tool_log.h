#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/source.h"
#include "report/logs/campaign_log.h"
#include "report/results/tool_scores.h"

namespace ambit::report {

/// Returns a row of a tool's log, without the end of the line.
std::string tool_row_json(const ToolRow& row);
/// Returns a tool's answers as one JSON document (docs/tools.md).
std::string tool_json(const ToolTable& table, const std::string& version);

/// A tool's campaign log. One file can hold the logs of several shards.
struct ToolLog {
  SourceFilePtr source;
  CampaignHeader header;      ///< the first header
  std::vector<ToolRow> rows;  ///< a later row of a test replaces an earlier one
  bool is_cut = false;        ///< the last line was incomplete; it is left out
};
/// Reads a log. Errors: no header, headers of different campaigns, a line that is not a row, a test number outside the
/// campaign.
Result<ToolLog> read_tool_log(const SourceFilePtr& source);
/// Returns whether the header is that of a tool's campaign.
bool is_tool_campaign(const CampaignHeader& header);

/// Several logs of a tool's campaign merged into one.
struct MergedToolLog {
  ToolLog log;
  std::vector<MissingShard> missing;
};
/// Merges the logs of a campaign's shards, in any order. An answer replaces a failure of the tool in another log.
/// Errors: logs of different campaigns; two different answers about one test.
Result<MergedToolLog> merge_tool_logs(std::span<const ToolLog> logs);

}  // namespace ambit::report
