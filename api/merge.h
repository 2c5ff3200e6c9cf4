#pragma once

#include <string>
#include <vector>

#include "core/source.h"

namespace ambit::api {

/// The logs of a campaign's shards as one log.
struct MergedLogs {
  std::string text;
  std::vector<std::string> cut;      ///< files whose last line is incomplete; it is left out
  std::vector<std::string> missing;  ///< what the campaign lacks: "shard 3 of 4 is missing: 12 tests without a result"
};

/// Merges logs that `ambit crossval --log` wrote, in any order. Errors: those of the files; logs of different
/// campaigns.
Result<MergedLogs> merge_logs(const std::vector<std::string>& paths);

}  // namespace ambit::api
