#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "api/generation.h"
#include "core/source.h"
#include "study/census.h"

namespace ambit::api {

struct ExhaustionRequest {
  std::vector<std::string> subjects =
      {};  ///< models and detectors (DistinctionRequest); empty: all of api::all_subjects
  synthesis::Bounds bounds = {5, 2, 2, 2, 1};
  std::string alphabet = "plain,L.gpu,N.gpu";
  Shard shard = {};
  std::string log = {};  ///< a file for the counts; an existing file is continued. Empty: none
  double seconds = 0;    ///< time limit; 0: none
};

/// Compares, on all programs within the bounds, the reports of detectors on every schedule and the races of models with
/// maximal prediction, and counts the differences. Writes the log about every second and at the end, and calls
/// `progress`. Errors: those of the subjects and the alphabet; a log of another setting, or a log that cannot be read
/// or written.
Result<study::Census> exhaust(const ExhaustionRequest& request, const std::atomic<bool>& interrupted,
                              const std::function<void(const study::Census&)>& progress);

/// Adds the logs of all shards of one setting. Errors: a file that is not a log; logs of different settings; a shard
/// that is missing, duplicate or not complete.
Result<study::Census> merge_exhaustions(const std::vector<std::string>& logs);

/// Returns the counts as a table, and the smallest program of each fault, in Markdown.
std::string census_text(const study::Census& census);

}  // namespace ambit::api
