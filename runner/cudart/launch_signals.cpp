#include "runner/cudart/launch_signals.h"

namespace ambit::cudart {
namespace {

/// A signal handler can access only objects with static storage.
struct Arrived {
  std::atomic<bool> any{false};
  std::atomic<int> number{0};
};
Arrived& arrived() {
  static Arrived instance;
  return instance;
}

void on_signal(int number) {
  arrived().number = number;
  arrived().any = true;
}

}  // namespace

LaunchSignals::LaunchSignals() {
  arrived();  // constructs the object before a signal can arrive
  struct sigaction action = {};
  action.sa_handler = on_signal;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  for (std::size_t i = 0; i < kNumbers.size(); ++i) {
    sigaction(kNumbers[i], nullptr, &before_[i]);
    if (before_[i].sa_handler != SIG_IGN) sigaction(kNumbers[i], &action, nullptr);
  }
}

LaunchSignals::~LaunchSignals() {
  for (std::size_t i = 0; i < kNumbers.size(); ++i) sigaction(kNumbers[i], &before_[i], nullptr);
  if (arrived().any.exchange(false)) raise(arrived().number);
}

const std::atomic<bool>& LaunchSignals::has_come() { return arrived().any; }

}  // namespace ambit::cudart
