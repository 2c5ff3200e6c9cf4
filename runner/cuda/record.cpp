// The recorder's part of a test run.

#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <tuple>
#include <utility>

#include "runner/cuda/test_run.h"

namespace ambit::cuda {
namespace {

using ambit_kernel::kNoLog;
using ambit_kernel::LogEntry;

constexpr std::size_t kMostRecordings = 4096;  ///< that differ, of one test

/// A spin that reads the same again and again waits once: only the number of its rounds is lost.
void add_access(std::vector<RecordedAccess>& accesses, const RecordedAccess& next) {
  if (accesses.empty() || accesses.back() != next) accesses.push_back(next);
}

}  // namespace

Result<bool> TestRun::record(const OnProgress& on_progress) {
  using Clock = std::chrono::steady_clock;
  const auto began = Clock::now();
  is_recording_ = true;
  Stress stress = recorder_;
  stress.batch = 1;
  if (auto ready = use(stress); !ready) return ready;
  std::map<Recording, std::uint64_t> recordings;
  while (report_.recorded < options_.record) {
    if (on_progress && !on_progress(report_)) break;
    if (auto cleared = driver_.clear(reinterpret_cast<DevicePointer>(loaded_.buffers.tickets), 4); !cleared)
      return cleared;
    if (const Result<double> took = launch(1); !took) return took.errors();
    ++report_.launches;  // the next launch has choices of its own
    if (auto collected = collect_logs(recordings); !collected) return collected;
  }
  report_.recordings.assign(recordings.begin(), recordings.end());
  report_.record_seconds = std::chrono::duration<double>(Clock::now() - began).count();
  is_recording_ = false;
  return true;
}

Result<bool> TestRun::collect_logs(std::map<Recording, std::uint64_t>& recordings) {
  const std::size_t threads = program_.threads.size();
  const std::size_t length = log_length(program_);
  const std::size_t runs = instances();
  std::vector<std::uint32_t> lengths(runs * threads);
  std::vector<LogEntry> log(runs * threads * length);
  for (const auto& [to, from, bytes] :
       {std::tuple<void*, void*, std::size_t>{lengths.data(), loaded_.buffers.log_lengths, 4 * lengths.size()},
        {log.data(), loaded_.buffers.log, sizeof(LogEntry) * log.size()}}) {
    if (auto read = driver_.read(to, reinterpret_cast<DevicePointer>(from), bytes); !read) return read;
  }
  std::vector<std::pair<std::uint32_t, std::uint32_t>> tickets;
  Recording recording;
  for (std::size_t run = 0; run < runs; ++run) {
    ++report_.recorded;
    tickets.clear();
    recording.order.clear();
    recording.threads.assign(threads, {});
    bool is_whole = true;
    for (std::size_t t = 0; t < threads && is_whole; ++t) {
      const std::uint32_t count = lengths[run * threads + t];
      is_whole = count != kNoLog;
      for (std::uint32_t i = 0; is_whole && i < count; ++i) {
        const LogEntry& entry = log[(run * threads + t) * length + i];
        const std::size_t before = recording.threads[t].size();
        add_access(recording.threads[t], {entry.instruction, entry.value});
        if (recording.threads[t].size() > before) tickets.emplace_back(entry.ticket, static_cast<std::uint32_t>(t));
      }
    }
    if (!is_whole) {
      ++report_.unrecorded;
      continue;
    }
    std::sort(tickets.begin(), tickets.end());
    for (const auto& [ticket, thread] : tickets) recording.order.push_back(thread);
    const auto known = recordings.find(recording);
    if (known != recordings.end()) {
      ++known->second;
    } else if (recordings.size() < kMostRecordings) {
      recordings.emplace(recording, 1);
    }
  }
  return true;
}

}  // namespace ambit::cuda
