#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>

#include "base/source.h"

namespace ambit::api {

/// Settings of a worker.
struct WorkRequest {
  std::string folder;        ///< of the campaign
  std::string version;       ///< of Ambit
  std::string program_path;  ///< path of the program file
  /// Called before each part and while the worker waits: the number of parts that are done, the number of all parts,
  /// and the current work.
  std::function<void(std::uint64_t done, std::uint64_t all, const std::string& current)> on_progress = {};
};

/// The result of one worker's work.
struct WorkDone {
  bool is_complete = false;  ///< whether every part has a result; false after an interrupt
  std::uint64_t parts = 0;   ///< number of results that this worker published
  std::string result;        ///< path of the merged file if the campaign is complete
};

/// Works on a campaign until every part has a result, including the parts of workers that died. Then merges the
/// results, unless another worker has merged them. After an interrupt, returns its chunk to the queue. Errors: errors
/// of read_campaign() and merge_campaign(); another program made the campaign; an input file has changed; the command
/// line of the campaign is wrong; a result cannot be written. After an error, also returns its chunk.
Result<WorkDone> work_on_campaign(const WorkRequest& request, const std::atomic<bool>& interrupted);

}  // namespace ambit::api
