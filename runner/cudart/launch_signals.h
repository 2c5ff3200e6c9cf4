#pragma once

#include <signal.h>

#include <array>
#include <atomic>

namespace ambit::cudart {

/// While it lives, SIGINT and SIGTERM end the launch instead of the process, so that the report says who stands where;
/// the destructor then raises the signal that came. Signals that the program ignores stay ignored, and a handler of its
/// own gets the signal after the launch. One at a time.
class LaunchSignals {
 public:
  LaunchSignals();
  ~LaunchSignals();
  LaunchSignals(const LaunchSignals&) = delete;
  LaunchSignals& operator=(const LaunchSignals&) = delete;

  /// Set once a signal has come, until the destructor.
  static const std::atomic<bool>& has_come();

 private:
  static constexpr std::array<int, 2> kNumbers = {SIGINT, SIGTERM};
  std::array<struct sigaction, kNumbers.size()> before_ = {};
};

}  // namespace ambit::cudart
