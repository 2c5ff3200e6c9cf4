#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>

namespace ambit::cudart {

/// Ends a program whose host polls memory for a value that a stalled kernel did not store. On a GPU, the kernel and the
/// host run at the same time. In Ambit, a launch ends before the host continues.
class WaitingHost {
 public:
  /// `longest` is the longest time between two calls of the runtime after a launch has stalled. Programs usually check
  /// for errors immediately after a launch.
  explicit WaitingHost(std::chrono::milliseconds longest = std::chrono::seconds(5)) : longest_(longest) {}
  /// Notes a call of the runtime.
  void note_call() { calls_.fetch_add(1, std::memory_order_relaxed); }
  /// Ends the program if it does not call the runtime for some seconds. Before the end, calls `end` in a separate
  /// thread; `end` does not return. Must be called at most once.
  void watch(std::function<void()> end);

 private:
  std::chrono::milliseconds longest_;
  std::atomic<std::uint64_t> calls_{0};
  bool is_watched_ = false;
};

}  // namespace ambit::cudart
