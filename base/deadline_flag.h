#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

#include "base/context.h"

namespace ambit {

/// A flag that is set when the user interrupts the program or when a time limit is reached. For code that checks a flag
/// and has no Context.
class DeadlineFlag {
 public:
  /// Without a limit, the flag is `interrupted` itself. `interrupted` must outlive this object.
  DeadlineFlag(const std::atomic<bool>& interrupted, std::optional<std::chrono::milliseconds> limit);
  ~DeadlineFlag();
  DeadlineFlag(const DeadlineFlag&) = delete;
  DeadlineFlag& operator=(const DeadlineFlag&) = delete;

  const std::atomic<bool>& flag() const { return limit_ ? stopped_ : interrupted_; }
  /// Returns Interrupted, Timeout, or nothing while the flag is not set.
  std::optional<UnknownReason> reason() const;

 private:
  void watch();

  const std::atomic<bool>& interrupted_;
  std::optional<std::chrono::milliseconds> limit_;
  std::atomic<bool> stopped_ = false;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool ends_ = false;
  std::thread thread_;
};

}  // namespace ambit
