#include "apps/cli/interrupt.h"

#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <iostream>

namespace ambit::cli {
namespace {

/// A second signal counts as part of the first request if it follows within this number of milliseconds. For example,
/// timeout(1) first signals the process and then the process's whole group.
constexpr std::int64_t kSameWish = 500;

/// The state of the signal handler. The state has static storage, because a signal handler must not access other
/// objects.
struct Interruption {
  std::atomic<bool> wanted{false};
  std::atomic<std::int64_t> since{0};  ///< time of the first signal, in milliseconds
};
Interruption& interruption() {
  static Interruption instance;
  return instance;
}

std::int64_t now() {
  struct timespec time = {};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<std::int64_t>(time.tv_sec) * 1000 + time.tv_nsec / 1000000;
}

void on_signal(int number) {
  Interruption& state = interruption();
  if (!state.wanted.exchange(true)) {
    state.since = now();
  } else if (now() - state.since > kSameWish) {
    std::signal(number, SIG_DFL);
    std::raise(number);
  }
}

}  // namespace

const std::atomic<bool>& catch_interrupts() {
  Interruption& state = interruption();  // creates the object before a signal can arrive
  struct sigaction action = {};
  action.sa_handler = on_signal;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  return state.wanted;
}

const std::atomic<bool>& interrupt_flag() { return interruption().wanted; }

int ended(int status) {
  if (!interrupt_flag()) return status;
  std::cout.flush();
  std::cerr.flush();
  std::fflush(nullptr);
  std::_Exit(status);
}

}  // namespace ambit::cli
