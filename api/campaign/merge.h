#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "api/campaign/campaign.h"
#include "base/source.h"

namespace ambit::api {

/// The merged results of a campaign.
struct CampaignResult {
  /// The bytes that the campaign's command would print or write if one process did all the work. Parts in `missing` and
  /// `failed` are left out.
  std::string text;
  int status = 0;                    ///< exit status of the campaign's command; 3 if a part is missing or failed
  std::vector<std::string> missing;  ///< names of parts without a result
  std::vector<std::string> failed;   ///< parts whose process failed, each with the reason: "mp.litmus: signal 9 ..."
};

/// Merges the results of a campaign, in the order of the parts. Errors: errors of read_campaign(); a result is damaged;
/// a campaign of shards is incomplete.
Result<CampaignResult> merge_campaign(const std::string& folder);

/// Merges the results, and writes the merged result into the campaign's folder unless the file exists. Returns the
/// file's path. Errors: errors of merge_campaign(); the file cannot be written.
Result<std::string> write_merged(const std::string& folder);
/// Removes the merged result. Call this before a part gets a new result, which makes the merged result obsolete.
void forget_merged(const std::string& folder, const Campaign& campaign);

/// The state of a campaign.
struct CampaignStatus {
  std::string command;  ///< "ambit check -m ptx"
  std::uint64_t parts = 0;
  std::uint64_t done = 0;
  std::uint64_t queued = 0;          ///< chunks in the queue
  std::vector<std::string> working;  ///< for each chunk with a worker: "HOST-PID-...: mp.litmus and 3 more"
  std::string result;                ///< path of the merged file; empty if the file does not exist
};

/// Returns the state of a campaign. Errors: errors of read_campaign().
Result<CampaignStatus> campaign_status(const std::string& folder);

}  // namespace ambit::api
