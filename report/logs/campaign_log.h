#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/program.h"
#include "core/source.h"
#include "report/results/crossval.h"

namespace ambit::report {

// A campaign's file: a line of JSON that says what campaign it is, then a line for each finished test. It grows while
// the campaign runs, so that its last line can be cut off.

/// The name of the setting that tells the rules of the models apart; older files lack it.
inline constexpr const char* kRulesSetting = "rules";
/// Into at most so many shards a campaign is divided.
inline constexpr std::uint32_t kMostShards = 65536;

/// What all results of a campaign have in common.
struct CampaignHeader {
  std::string corpus;                                         ///< hash of the tests of all shards, with their files
  std::uint64_t tests = 0;                                    ///< of all shards
  std::uint32_t shard = 1;                                    ///< of `shards`
  std::uint32_t shards = 1;                                   ///< test number n belongs to shard n % shards + 1
  std::vector<std::pair<std::string, std::string>> settings;  ///< what results depend on: "models", "ptx"
};

/// A test and the file that it was read from.
struct CorpusTest {
  std::string file;
  std::shared_ptr<const Program> program;
};

/// The hash of a corpus: equal for the same files, test names and programs in the same order.
std::string corpus_hash(std::span<const CorpusTest> tests);

/// The first line, without its end.
std::string campaign_json(const CampaignHeader& header);

/// A campaign's file as read.
struct CampaignLog {
  SourceFilePtr source;
  CampaignHeader header;
  std::vector<CrossRow> rows;
  std::vector<std::uint32_t> lines;  ///< by row: where it stands
  bool is_cut = false;               ///< the last line was cut off; it is left out
};

/// Reads a campaign's file. Errors: no header, a line in the middle that is no result or whose counts do not add up, a
/// test whose number is not one of the campaign's, or of its shard.
Result<CampaignLog> read_campaign(const SourceFilePtr& source);

/// Which part of a campaign lacks results.
struct MissingShard {
  std::uint32_t shard = 1;
  std::uint32_t shards = 1;
  std::uint64_t tests = 0;  ///< without a result
  bool is_begun = false;    ///< some of its tests have one
};

/// Several campaign files as one.
struct MergedCampaign {
  CampaignHeader header;       ///< of all shards
  std::vector<CrossRow> rows;  ///< by number, seed and device; equal ones once
  std::vector<MissingShard> missing;
};

/// What keeps two campaigns from being parts of one; `where` names the file that is read second. Empty: nothing.
Diagnostics differences(const CampaignHeader& first, const std::string& first_name, const CampaignHeader& second,
                        const SourceFilePtr& where);

/// Merges the files of a campaign's shards, of several machines, or of runs with several seeds; the order of the files
/// does not matter. The header lacks the setting kRulesSetting where one of them does. Errors: files of different
/// campaigns; two results of one test that contradict each other in what a model says.
Result<MergedCampaign> merge_campaigns(std::span<const CampaignLog> logs);

/// One row a test, in order of their numbers: the counts of several runs of it are added up. Sequences of accesses that
/// several runs recorded count once each. Errors of some of the runs are kept with their device and seed.
std::vector<CrossRow> combined(std::span<const CrossRow> rows);

}  // namespace ambit::report
