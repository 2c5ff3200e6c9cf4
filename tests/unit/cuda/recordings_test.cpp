#include "runner/cuda/launch/recordings.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <utility>
#include <vector>

namespace ambit::cuda {
namespace {

using ambit_kernel::kNoLog;
using ambit_kernel::LogEntry;

constexpr std::size_t kEntries = 4;  ///< the device rounds the number of runs up to this number

/// Returns the logs of two threads. Each element of `runs` is one run: first the log of the first thread, then the log
/// of the second thread.
RunLogs logs_of(const std::vector<std::pair<std::vector<LogEntry>, std::vector<LogEntry>>>& runs) {
  RunLogs logs;
  logs.runs = runs.size();
  logs.copies = kEntries;
  logs.lengths.assign(2 * kEntries, 0);
  const auto thread = [&](std::size_t run, std::size_t t) { return t == 0 ? runs[run].first : runs[run].second; };
  for (std::size_t run = 0; run < runs.size(); ++run) {
    for (std::size_t t = 0; t < 2; ++t)
      logs.lengths[t * kEntries + run] = static_cast<std::uint32_t>(thread(run, t).size());
  }
  logs.entries.resize(logs.longest() * 2 * kEntries);
  for (std::size_t run = 0; run < runs.size(); ++run) {
    for (std::size_t t = 0; t < 2; ++t) {
      const std::vector<LogEntry> log = thread(run, t);
      for (std::size_t i = 0; i < log.size(); ++i) logs.entries[(i * 2 + t) * kEntries + run] = log[i];
    }
  }
  return logs;
}

// Two runs count as equal if their tickets have the same order, even if the tickets have different numbers. The first
// two runs are equal. In the third run, P1 goes first.
TEST(Recordings, RunsInTheSameOrderAreOne) {
  RecordingCounter counter(2);
  counter.add(logs_of({{{{0, 0, 0}, {3, 1, 0}}, {{5, 0, 7}}},
                       {{{10, 0, 0}, {11, 1, 0}}, {{12, 0, 7}}},
                       {{{22, 0, 0}, {23, 1, 0}}, {{20, 0, 7}}}}));
  counter.add(logs_of({{{{1, 0, 0}, {2, 1, 0}}, {{3, 0, 7}}}}));
  EXPECT_EQ(counter.runs(), 4U);
  const auto recordings = counter.recordings();
  ASSERT_EQ(recordings.size(), 2U);
  const std::vector<std::vector<RecordedEntry>> threads = {{{0, 0}, {1, 0}}, {{0, 7}}};
  EXPECT_EQ(recordings[0], (std::pair<Recording, std::uint64_t>{{threads, {0, 0, 1}}, 3}));
  EXPECT_EQ(recordings[1], (std::pair<Recording, std::uint64_t>{{threads, {1, 0, 0}}, 1}));
}

TEST(Recordings, OtherValuesAreAnotherRecording) {
  RecordingCounter counter(2);
  counter.add(logs_of({{{{0, 0, 0}}, {{1, 0, 7}}}, {{{0, 0, 0}}, {{1, 0, 8}}}}));
  EXPECT_EQ(counter.recordings().size(), 2U);
}

TEST(Recordings, ARunWithoutAWholeLogIsCountedApart) {
  RunLogs logs = logs_of({{{{0, 0, 0}}, {{1, 0, 7}}}, {{{0, 0, 0}}, {{1, 0, 7}}}});
  logs.lengths[kEntries + 1] = kNoLog;  // P1 has no log in the second run
  EXPECT_EQ(logs.longest(), 1U);
  RecordingCounter counter(2);
  counter.add(logs);
  EXPECT_EQ(counter.runs(), 2U);
  EXPECT_EQ(counter.unrecorded(), 1U);
  ASSERT_EQ(counter.recordings().size(), 1U);
  EXPECT_EQ(counter.recordings()[0].second, 1U);
}

// A full counter still counts repetitions of stored runs. It drops every run that differs from the stored runs.
TEST(Recordings, ThereIsAnEndToThoseThatDiffer) {
  RecordingCounter counter(2);
  for (Value value = 0; value < static_cast<Value>(kMostRecordings) + 100; ++value) {
    counter.add(logs_of({{{{0, 0, value}}, {}}}));
  }
  EXPECT_EQ(counter.runs(), kMostRecordings + 100);
  EXPECT_EQ(counter.unrecorded(), 100U);
  EXPECT_EQ(counter.recordings().size(), kMostRecordings);
  counter.add(logs_of({{{{0, 0, 17}}, {}}}));
  EXPECT_EQ(counter.recordings()[17].second, 2U);
  EXPECT_EQ(counter.unrecorded(), 100U);
}

}  // namespace
}  // namespace ambit::cuda
