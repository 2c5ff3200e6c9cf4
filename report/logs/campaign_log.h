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

// A campaign's log: a header line that identifies the campaign, then a line for each finished test, all as JSON. It
// grows while the campaign runs, so its last line can be incomplete.

/// The setting with the hash of the models' rules; older logs lack it.
inline constexpr const char* kRulesSetting = "rules";
/// The maximum number of shards of a campaign.
inline constexpr std::uint32_t kMostShards = 65536;

/// The common properties of all results of a campaign.
struct CampaignHeader {
  std::string corpus;                                         ///< hash of the tests of all shards, with their files
  std::uint64_t tests = 0;                                    ///< of all shards
  std::uint32_t shard = 1;                                    ///< of `shards`
  std::uint32_t shards = 1;                                   ///< test number n belongs to shard n % shards + 1
  std::vector<std::pair<std::string, std::string>> settings;  ///< settings that results depend on: "models", "ptx"
};

/// A test and the file that it was read from.
struct CorpusTest {
  std::string file;
  std::shared_ptr<const Program> program;
};

/// Returns the hash of a corpus: equal for the same files, test names and programs in the same order.
std::string corpus_hash(std::span<const CorpusTest> tests);

/// Returns the first line, without its end.
std::string campaign_json(const CampaignHeader& header);
/// Reads a first line. Nothing: the line is not a header.
std::optional<CampaignHeader> read_campaign_header(const std::string& line);

/// A campaign's log as read.
struct CampaignLog {
  SourceFilePtr source;
  CampaignHeader header;
  std::vector<CrossRow> rows;
  std::vector<std::uint32_t> lines;  ///< by row: its line
  bool is_cut = false;               ///< the last line was incomplete; it is left out
};

/// Reads a campaign's log. Errors: no header; a line in the middle that is not a result or whose counts do not add up;
/// a test number outside the campaign or the shard.
Result<CampaignLog> read_campaign(const SourceFilePtr& source);

/// A part of a campaign that lacks results.
struct MissingShard {
  std::uint32_t shard = 1;
  std::uint32_t shards = 1;
  std::uint64_t tests = 0;  ///< without a result
  bool is_begun = false;    ///< some of its tests have a result
};

/// Returns the shards of `whole` with tests that are not among `found`.
std::vector<MissingShard> missing_shards(const CampaignHeader& whole, const std::set<std::uint64_t>& found);

/// Several logs merged into one.
struct MergedCampaign {
  CampaignHeader header;       ///< of all shards
  std::vector<CrossRow> rows;  ///< by number, seed and device; without duplicates
  std::vector<MissingShard> missing;
};

/// Returns why two logs do not belong to one campaign; `where`: the second log. Empty: they do.
Diagnostics differences(const CampaignHeader& first, const std::string& first_name, const CampaignHeader& second,
                        const SourceFilePtr& where);

/// Merges the logs of a campaign's shards, of several machines, or of runs with several seeds, in any order. The header
/// lacks the setting kRulesSetting if one of the logs does. Errors: logs of different campaigns; two results of one
/// test that contradict each other in a model's answer.
Result<MergedCampaign> merge_campaigns(std::span<const CampaignLog> logs);

/// Returns one row for each test, in order of the numbers: adds the counts of its runs. A sequence of accesses that
/// several runs recorded counts once for each of these runs. The errors of single runs include their device and seed.
std::vector<CrossRow> combined(std::span<const CrossRow> rows);

}  // namespace ambit::report
