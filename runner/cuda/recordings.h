#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "kernels/parameters.h"
#include "runner/cuda/run_report.h"

namespace ambit::cuda {

/// What a recording kernel left behind, as it lies on the device: the first entries of all threads of all runs, then
/// the second ones ... (Buffers::log).
struct RunLogs {
  std::size_t runs = 0;
  std::size_t copies = 0;                       ///< runs for which there is room, at least `runs`
  std::vector<std::uint32_t> lengths;           ///< by thread, run
  std::vector<ambit_kernel::LogEntry> entries;  ///< by number, thread, run; as many as the longest log of all has

  /// Entries of the longest log.
  std::size_t longest() const;
};

/// Recordings that differ, of one test, as many as are kept.
inline constexpr std::size_t kMostRecordings = 16384;

/// Counts runs with equal recordings.
class RecordingCounter {
 public:
  explicit RecordingCounter(std::size_t threads) { recording_.threads.resize(threads); }

  /// The recordings that differ are kept until there are kMostRecordings; later runs only add to those.
  void add(const RunLogs& logs);

  std::uint64_t runs() const { return runs_; }
  /// Of them, those that were given up, whose log was too long, or that differ from all that could be kept.
  std::uint64_t unrecorded() const { return unrecorded_; }
  /// Sorted.
  std::vector<std::pair<Recording, std::uint64_t>> recordings() const;

 private:
  struct Hash {
    std::size_t operator()(const Recording& recording) const;
  };
  bool read(const RunLogs& logs, std::size_t run);

  Recording recording_;                                           ///< of the run looked at
  std::vector<std::pair<std::uint32_t, std::uint32_t>> tickets_;  ///< its tickets and who took them
  std::unordered_map<Recording, std::uint64_t, Hash> known_;
  std::uint64_t runs_ = 0;
  std::uint64_t unrecorded_ = 0;
};

}  // namespace ambit::cuda
