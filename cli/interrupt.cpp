#include "cli/interrupt.h"

#include <csignal>

namespace ambit::cli {
namespace {

/// A signal handler can reach nothing but an object of static storage.
std::atomic<bool>& interrupted() {
  static std::atomic<bool> flag{false};
  return flag;
}

void on_signal(int) { interrupted().store(true, std::memory_order_relaxed); }

}  // namespace

const std::atomic<bool>& catch_interrupts() {
  std::atomic<bool>& flag = interrupted();  // made before a signal can come
  struct sigaction action = {};
  action.sa_handler = on_signal;
  sigemptyset(&action.sa_mask);
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  return flag;
}

}  // namespace ambit::cli
