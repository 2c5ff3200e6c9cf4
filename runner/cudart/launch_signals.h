#pragma once

#include <signal.h>

#include <array>
#include <atomic>

namespace ambit::cudart {

/// While this object exists, SIGINT and SIGTERM end the launch instead of the process, so that the report shows the
/// positions of the threads. The destructor then raises the received signal. Signals that the program ignores stay
/// ignored. The program's own handlers receive the signal after the launch. At most one LaunchSignals exists at a time.
class LaunchSignals {
 public:
  LaunchSignals();
  ~LaunchSignals();
  LaunchSignals(const LaunchSignals&) = delete;
  LaunchSignals& operator=(const LaunchSignals&) = delete;

  /// Returns a flag that becomes true when a signal arrives, and false in the destructor.
  static const std::atomic<bool>& has_come();

 private:
  static constexpr std::array<int, 2> kNumbers = {SIGINT, SIGTERM};
  std::array<struct sigaction, kNumbers.size()> before_ = {};
};

}  // namespace ambit::cudart
