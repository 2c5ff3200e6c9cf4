#pragma once

#include <signal.h>

#include <array>
#include <atomic>

namespace ambit::cudart {

/// During its lifetime, SIGINT and SIGTERM end the launch instead of the process, so that the report shows where
/// threads are; the destructor then raises the received signal. Signals that the program ignores stay ignored, and its
/// own handlers get the signal after the launch. At most one exists at a time.
class LaunchSignals {
 public:
  LaunchSignals();
  ~LaunchSignals();
  LaunchSignals(const LaunchSignals&) = delete;
  LaunchSignals& operator=(const LaunchSignals&) = delete;

  /// Set from the arrival of a signal until the destructor.
  static const std::atomic<bool>& has_come();

 private:
  static constexpr std::array<int, 2> kNumbers = {SIGINT, SIGTERM};
  std::array<struct sigaction, kNumbers.size()> before_ = {};
};

}  // namespace ambit::cudart
