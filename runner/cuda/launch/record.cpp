// The recorded runs of a test.

#include <chrono>

#include "runner/cuda/launch/recordings.h"
#include "runner/cuda/launch/test_run.h"

namespace ambit::cuda {

Result<bool> TestRun::record(const OnProgress& on_progress) {
  using Clock = std::chrono::steady_clock;
  const auto began = Clock::now();
  if (auto ready = use(part_.stress); !ready) return ready;
  RecordingCounter counter(program_.threads.size());
  RunLogs logs;
  bool goes_on = true;
  while (counter.runs() < options_.record) {
    goes_on = !on_progress || on_progress(report_);
    if (!goes_on) break;
    if (auto cleared = driver_.clear(reinterpret_cast<DevicePointer>(loaded_.buffers.tickets), 4); !cleared)
      return cleared;
    if (const Result<double> took = launch(1); !took) return took.errors();
    ++report_.launches;  // the number of launches is part of the next launch's seed
    if (auto read = read_logs(logs); !read) return read;
    counter.add(logs);
  }
  report_.recorded = counter.runs();
  report_.unrecorded = counter.unrecorded();
  report_.recordings = counter.recordings();
  report_.record_seconds = std::chrono::duration<double>(Clock::now() - began).count();
  return goes_on;
}

/// Copies the logs of the last launch. The length of the longest log determines how many entries of each log are
/// copied.
Result<bool> TestRun::read_logs(RunLogs& logs) {
  const std::size_t threads = program_.threads.size();
  logs.runs = instances();
  logs.copies = std::size_t{loaded_.parameters.slot_mask} + 1;
  logs.lengths.resize(logs.copies * threads);
  // No run uses the copies from number `runs` on. The logs of these copies keep length 0, as before the launch.
  const auto read = [&](auto& to, const void* from) {
    return driver_.read(to.data(), reinterpret_cast<DevicePointer>(from), sizeof(to[0]) * to.size());
  };
  if (auto done = read(logs.lengths, loaded_.buffers.log_lengths); !done) return done;
  logs.entries.resize(logs.longest() * threads * logs.copies);
  if (logs.entries.empty()) return true;
  return read(logs.entries, loaded_.buffers.log);
}

}  // namespace ambit::cuda
