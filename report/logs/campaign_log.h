#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/source.h"
#include "core/program.h"
#include "report/results/crossval.h"

namespace ambit::report {

// A campaign's log consists of lines of JSON. The first line is a header that identifies the campaign. Each further
// line is the result of a test. The log grows while the campaign runs, so its last line can be incomplete.

/// Name of the setting that contains the hash of the models' rules. Logs of older versions lack this setting.
inline constexpr const char* kRulesSetting = "rules";
/// The maximum number of shards of a campaign.
inline constexpr std::uint32_t kMostShards = 65536;

/// The properties that all results of a campaign share.
struct CampaignHeader {
  std::string corpus;                                         ///< hash of the tests of all shards and their files
  std::uint64_t tests = 0;                                    ///< number of tests in all shards
  std::uint32_t shard = 1;                                    ///< number of this shard among `shards`
  std::uint32_t shards = 1;                                   ///< test number n belongs to shard n % shards + 1
  std::vector<std::pair<std::string, std::string>> settings;  ///< settings that affect the results: "models", "ptx"
};

/// A test and the file from which it was read.
struct CorpusTest {
  std::string file;
  std::shared_ptr<const Program> program;
};

/// Returns the hash of a corpus. The hash depends on the files, test names and programs, and on their order.
std::string corpus_hash(std::span<const CorpusTest> tests);

/// Returns the first line of a log, without its line break.
std::string campaign_json(const CampaignHeader& header);
/// Reads the first line of a log. Returns nothing if the line is not a header.
std::optional<CampaignHeader> read_campaign_header(const std::string& line);

/// The content of a campaign's log.
struct CampaignLog {
  SourceFilePtr source;
  CampaignHeader header;
  std::vector<CrossRow> rows;
  std::vector<std::uint32_t> lines;  ///< the line number of each row
  bool is_cut = false;               ///< whether an incomplete last line was omitted
};

/// Reads a campaign's log. Errors: the header is missing; a line before the last line is not a result; the counts in a
/// result contradict each other; a test number is outside the campaign or the shard.
Result<CampaignLog> read_campaign(const SourceFilePtr& source);

/// A shard that contains tests without a result.
struct MissingShard {
  std::uint32_t shard = 1;
  std::uint32_t shards = 1;
  std::uint64_t tests = 0;  ///< number of tests without a result
  bool is_begun = false;    ///< whether some tests of the shard have a result
};

/// Returns the shards of the campaign `whole` that lack results. `found`: the numbers of all tests that have results.
std::vector<MissingShard> missing_shards(const CampaignHeader& whole, const std::set<std::uint64_t>& found);

/// Several logs merged into one log.
struct MergedCampaign {
  CampaignHeader header;       ///< header that describes all shards as one log
  std::vector<CrossRow> rows;  ///< sorted by number, seed and device; without duplicates
  std::vector<MissingShard> missing;
};

/// Returns errors that say why two logs do not belong to one campaign; empty if the logs belong to one campaign.
/// `where`: the second log, which the errors name as their place.
Diagnostics differences(const CampaignHeader& first, const std::string& first_name, const CampaignHeader& second,
                        const SourceFilePtr& where);

/// Merges logs of one campaign, in any order. The logs may come from different shards, machines or seeds. If any log
/// lacks the setting kRulesSetting, the merged header also lacks it. Errors: logs of different campaigns; two results
/// of one test with different answers of a model.
Result<MergedCampaign> merge_campaigns(std::span<const CampaignLog> logs);

/// Returns one row for each test, ordered by number. Each row has the sums of the counts over all runs of the test. If
/// several runs recorded the same sequence of accesses, each run counts it once. An error in only one run includes the
/// run's device and seed.
std::vector<CrossRow> combined(std::span<const CrossRow> rows);

}  // namespace ambit::report
