#pragma once

#include <signal.h>

#include <array>
#include <atomic>

namespace ambit::cudart {

/// While this object exists, SIGINT and SIGTERM end the launch instead of the process, so that the report shows where
/// threads are. The destructor then raises the received signal. Signals that the program ignores stay ignored. The
/// program's own handlers get the signal after the launch. At most one such object exists at a time.
class LaunchSignals {
 public:
  LaunchSignals();
  ~LaunchSignals();
  LaunchSignals(const LaunchSignals&) = delete;
  LaunchSignals& operator=(const LaunchSignals&) = delete;

  /// Returns a flag that is true after a signal has arrived, until the destructor.
  static const std::atomic<bool>& has_come();

 private:
  static constexpr std::array<int, 2> kNumbers = {SIGINT, SIGTERM};
  std::array<struct sigaction, kNumbers.size()> before_ = {};
};

}  // namespace ambit::cudart
