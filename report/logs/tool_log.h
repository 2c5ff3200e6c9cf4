#pragma once

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
  CampaignHeader header;      ///< the first one
  std::vector<ToolRow> rows;  ///< a later row of a test replaces an earlier one
  bool is_cut = false;        ///< the last line was incomplete; it is left out
};
/// Reads a log. Errors: no header, headers of different campaigns, a line that is not a row, a test number outside the
/// campaign.
Result<ToolLog> read_tool_log(const SourceFilePtr& source);

}  // namespace ambit::report
