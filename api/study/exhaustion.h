#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "api/study/generation.h"
#include "base/source.h"
#include "study/census.h"

namespace ambit::api {

struct ExhaustionRequest {
  std::vector<std::string> subjects = {};  ///< models and detectors (DistinctionRequest); if empty, api::all_subjects
  synthesis::Bounds bounds = {5, 2, 2, 2, 1};
  std::string alphabet = "plain,L.gpu,N.gpu";
  Shard shard = {};
  std::string log = {};  ///< file for the counts; if it exists, continues from it; empty for no log
  double seconds = 0;    ///< time limit; 0 for no limit
};

/// Runs detectors on every schedule of all programs within the bounds. Compares the detectors' reports and the models'
/// races with maximal prediction, and counts the differences. Writes the log and calls `progress` about every second
/// and at the end. Errors: unknown subjects or an invalid alphabet; a log with different settings; a log that cannot be
/// read or written.
Result<study::Census> exhaust(const ExhaustionRequest& request, const std::atomic<bool>& interrupted,
                              const std::function<void(const study::Census&)>& progress);

/// Adds up the counts in the logs of all shards. The logs must have the same settings. Errors: a file that is not a
/// log; logs with different settings; a shard that is missing, duplicate or incomplete.
Result<study::Census> merge_exhaustions(const std::vector<std::string>& logs);

/// Returns Markdown with a table of the counts and the smallest program for each fault.
std::string census_text(const study::Census& census);

}  // namespace ambit::api
