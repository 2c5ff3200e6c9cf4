#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/program.h"
#include "core/source.h"
#include "report/results/crossval.h"

namespace ambit::report {

// A campaign's log: a header line that identifies the campaign, followed by a line for each finished test, all as JSON.
// The log grows while the campaign runs, so its last line can be incomplete.

/// The setting with the hash of the models' rules. Logs of older versions lack it.
inline constexpr const char* kRulesSetting = "rules";
/// The maximum number of shards of a campaign.
inline constexpr std::uint32_t kMostShards = 65536;

/// The properties that all results of a campaign share.
struct CampaignHeader {
  std::string corpus;                                         ///< hash of the tests of all shards, with their files
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

/// Returns the hash of a corpus. The hash is equal for the same files, test names and programs in the same order.
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
  std::vector<std::uint32_t> lines;  ///< number of each row's line
  bool is_cut = false;               ///< whether the last line was incomplete, and is therefore omitted
};

/// Reads a campaign's log. Errors: the header is missing; a line in the middle is not a result, or its counts do not
/// add up; a test number is outside the campaign or the shard.
Result<CampaignLog> read_campaign(const SourceFilePtr& source);

/// A part of a campaign that lacks results.
struct MissingShard {
  std::uint32_t shard = 1;
  std::uint32_t shards = 1;
  std::uint64_t tests = 0;  ///< number of tests without a result
  bool is_begun = false;    ///< whether some tests of the shard have a result
};

/// Returns the shards of `whole` with tests that are not among `found`.
std::vector<MissingShard> missing_shards(const CampaignHeader& whole, const std::set<std::uint64_t>& found);

/// Several logs merged into one log.
struct MergedCampaign {
  CampaignHeader header;       ///< header for all shards
  std::vector<CrossRow> rows;  ///< sorted by number, seed and device; without duplicates
  std::vector<MissingShard> missing;
};

/// Returns why two logs do not belong to one campaign; empty if they do. `where`: place for errors in the second log.
Diagnostics differences(const CampaignHeader& first, const std::string& first_name, const CampaignHeader& second,
                        const SourceFilePtr& where);

/// Merges the logs of a campaign's shards, of several machines, or of runs with several seeds, in any order. If one of
/// the logs lacks the setting kRulesSetting, the header lacks it, too. Errors: logs of different campaigns; two results
/// of one test that contradict each other in a model's answer.
Result<MergedCampaign> merge_campaigns(std::span<const CampaignLog> logs);

/// Returns one row for each test, ordered by number, with the counts of all its runs added. If several runs recorded
/// the same sequence of accesses, it counts once for each run. The errors of single runs include their device and seed.
std::vector<CrossRow> combined(std::span<const CrossRow> rows);

}  // namespace ambit::report
