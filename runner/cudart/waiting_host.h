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
  /// After a launch has stalled, the program may spend at most `longest` between two calls of the runtime. Programs
  /// usually check for errors immediately after a launch.
  explicit WaitingHost(std::chrono::milliseconds longest = std::chrono::seconds(5)) : longest_(longest) {}
  /// Records that the program calls the runtime.
  void note_call() { calls_.fetch_add(1, std::memory_order_relaxed); }
  /// Starts a thread that calls `end` if the program does not call the runtime for `longest`. `end` does not return.
  /// Later calls of watch() have no effect.
  void watch(std::function<void()> end);

 private:
  std::chrono::milliseconds longest_;
  std::atomic<std::uint64_t> calls_{0};
  bool is_watched_ = false;
};

}  // namespace ambit::cudart
