#pragma once

#include <atomic>
#include <chrono>
#include <optional>

#include "base/context.h"
#include "base/watchdog.h"

namespace ambit {

/// A flag that is set when the user interrupts the program or when a time limit is reached. Code that has no Context
/// checks this flag.
class DeadlineFlag {
 public:
  /// If there is no time limit, `interrupted` itself is the flag. `interrupted` must outlive this object.
  DeadlineFlag(const std::atomic<bool>& interrupted, std::optional<std::chrono::milliseconds> limit);

  const std::atomic<bool>& flag() const { return context_.has_limits() ? stopped_ : interrupted_; }
  /// Returns Interrupted or Timeout; nothing while the flag is not set.
  std::optional<UnknownReason> reason() const;

 private:
  const std::atomic<bool>& interrupted_;
  std::atomic<bool> stopped_ = false;
  Context context_;
  Watchdog watchdog_;
};

}  // namespace ambit
