#include "runner/cuda/launch/recordings.h"

#include <algorithm>

#include "base/hash.h"

namespace ambit::cuda {
namespace {

using ambit_kernel::kNoLog;
using ambit_kernel::LogEntry;

}  // namespace

std::size_t RunLogs::longest() const {
  std::uint32_t most = 0;
  for (const std::uint32_t length : lengths) most = length == kNoLog ? most : std::max(most, length);
  return most;
}

std::size_t RecordingCounter::Hash::operator()(const Recording& recording) const {
  std::uint64_t hash = 0;
  for (const auto& entries : recording.threads) {
    hash = combine_hash(hash, entries.size());
    for (const RecordedEntry& entry : entries) {
      hash = combine_hash(combine_hash(hash, entry.instruction), static_cast<std::uint64_t>(entry.value));
    }
  }
  for (const std::uint32_t thread : recording.order) hash = combine_hash(hash, thread);
  return hash;
}

/// Sets `recording_` to a run's recording. Returns false if the log of the run is incomplete.
bool RecordingCounter::read(const RunLogs& logs, std::size_t run) {
  const std::size_t threads = recording_.threads.size();
  tickets_.clear();
  for (std::size_t t = 0; t < threads; ++t) {
    const std::uint32_t length = logs.lengths[t * logs.copies + run];
    if (length == kNoLog) return false;
    std::vector<RecordedEntry>& entries = recording_.threads[t];
    entries.clear();
    for (std::uint32_t i = 0; i < length; ++i) {
      const LogEntry& entry = logs.entries[(i * threads + t) * logs.copies + run];
      entries.push_back({entry.instruction, entry.value});
      tickets_.emplace_back(entry.ticket, static_cast<std::uint32_t>(t));
    }
  }
  std::sort(tickets_.begin(), tickets_.end());
  recording_.order.clear();
  for (const auto& [ticket, thread] : tickets_) recording_.order.push_back(thread);
  return true;
}

void RecordingCounter::add(const RunLogs& logs) {
  runs_ += logs.runs;
  for (std::size_t run = 0; run < logs.runs; ++run) {
    if (!read(logs, run)) {
      ++unrecorded_;
      continue;
    }
    const auto known = known_.find(recording_);
    if (known != known_.end()) {
      ++known->second;
    } else if (known_.size() < kMostRecordings) {
      known_.emplace(recording_, 1);
    } else {
      ++unrecorded_;
    }
  }
}

std::vector<std::pair<Recording, std::uint64_t>> RecordingCounter::recordings() const {
  std::vector<std::pair<Recording, std::uint64_t>> sorted(known_.begin(), known_.end());
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

}  // namespace ambit::cuda
