#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "kernels/parameters.h"
#include "runner/cuda/stress/run_report.h"

namespace ambit::cuda {

/// The logs of a recording kernel, in the device's layout (Buffers::log). First come the first entries of all threads
/// in all runs, then all second entries, and so on.
struct RunLogs {
  std::size_t runs = 0;
  std::size_t copies = 0;              ///< number of runs for which there is space; at least `runs`
  std::vector<std::uint32_t> lengths;  ///< the length of each log; indices: thread, run
  /// The entries; indices: number of the entry, thread, run. The longest log determines the number of entries.
  std::vector<ambit_kernel::LogEntry> entries;

  /// Returns the length of the longest log.
  std::size_t longest() const;
};

/// Limit on the number of distinct recordings that are kept for one test.
inline constexpr std::size_t kMostRecordings = 16384;

/// Counts the runs of each distinct recording.
class RecordingCounter {
 public:
  explicit RecordingCounter(std::size_t threads) { recording_.threads.resize(threads); }

  /// Adds the runs of a launch. Only the first kMostRecordings distinct recordings are kept; later runs can only
  /// increase their counts.
  void add(const RunLogs& logs);

  std::uint64_t runs() const { return runs_; }
  /// Returns the number of runs whose recording was not kept: the run was given up, its log was too long, or
  /// kMostRecordings other recordings existed.
  std::uint64_t unrecorded() const { return unrecorded_; }
  /// Returns the recordings, sorted.
  std::vector<std::pair<Recording, std::uint64_t>> recordings() const;

 private:
  struct Hash {
    std::size_t operator()(const Recording& recording) const;
  };
  bool read(const RunLogs& logs, std::size_t run);

  Recording recording_;  ///< recording of the current run
  /// Tickets of the current run, and the threads that took them.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> tickets_;
  std::unordered_map<Recording, std::uint64_t, Hash> known_;
  std::uint64_t runs_ = 0;
  std::uint64_t unrecorded_ = 0;
};

}  // namespace ambit::cuda
