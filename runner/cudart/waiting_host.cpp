#include "runner/cudart/waiting_host.h"

#include <thread>
#include <utility>

namespace ambit::cudart {

void WaitingHost::watch(std::function<void()> end) {
  if (std::exchange(is_watched_, true)) return;
  std::thread([this, end = std::move(end)] {
    std::uint64_t calls = 0;
    do {
      calls = calls_.load(std::memory_order_relaxed);
      std::this_thread::sleep_for(longest_);
    } while (calls != calls_.load(std::memory_order_relaxed));
    end();
  }).detach();
}

}  // namespace ambit::cudart
