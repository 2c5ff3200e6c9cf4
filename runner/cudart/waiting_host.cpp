#include "runner/cudart/waiting_host.h"

#include <chrono>
#include <thread>
#include <utility>

namespace ambit::cudart {
namespace {

/// Between two calls of the runtime after a launch has failed. Programs mostly look for the error at once.
constexpr std::chrono::seconds kLongestWait{5};

}  // namespace

void WaitingHost::watch(std::function<void()> end) {
  if (std::exchange(is_watched_, true)) return;
  std::thread([this, end = std::move(end)] {
    std::uint64_t calls = 0;
    do {
      calls = calls_.load(std::memory_order_relaxed);
      std::this_thread::sleep_for(kLongestWait);
    } while (calls != calls_.load(std::memory_order_relaxed));
    end();
  }).detach();
}

}  // namespace ambit::cudart
