#pragma once

#include <poll.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "base/descriptor.h"

namespace ambit {

/// Limits of a child process.
struct ChildLimits {
  /// Limit on elapsed time; the limit on processor time is twice as long, for two threads.
  std::chrono::milliseconds time{5000};
  std::uint64_t memory = std::uint64_t{1} << 30;  ///< bytes of address space
  std::size_t output = std::size_t{8} << 20;      ///< bytes that the child may write
  bool can_write_files = false;
};

/// How a child process ended.
struct ChildResult {
  enum class End : std::uint8_t {
    Exited,     ///< `status` is the child's exit status
    TimedOut,   ///< killed at its time limit
    TooLong,    ///< killed because the child wrote too much
    Crashed,    ///< killed by a signal, for example after memory ran out
    Abandoned,  ///< killed because the recipient of its output is gone (Waiter)
    NotStarted
  } end = End::NotStarted;
  int status = 0;
  std::string out;
};

/// The recipient of a child's output.
struct Waiter {
  int connection = -1;  ///< socket; the wait ends when the peer closes the socket; negative if there is no socket
  std::function<void()> after_long_run = {};  ///< called each time the child has run for another kLongRun; may be empty
  /// Flag that ends the wait within kLongRun; null if the wait cannot be cancelled.
  const std::atomic<bool>* cancelled = nullptr;
};
inline constexpr std::chrono::milliseconds kLongRun{250};

/// Writes a child's input and at the same time reads its output, until the output ends or a limit is reached.
class Exchange {
 public:
  /// The event that ends the exchange. Closed: the child closes its output. Line: the child has written its first line.
  enum class Until : std::uint8_t { Closed, Line };

  /// `in` is a socket (make_socket). The referenced objects must outlive the exchange.
  Exchange(Descriptor in, Descriptor out, const std::string& input, const ChildLimits& limits, const Waiter& waiter);

  /// Runs the exchange. Returns Exited when the output has ended; the exit status is not known yet. With Until::Line,
  /// returns Crashed if the output ends in the middle of a line. ChildResult::End describes the other results.
  ChildResult::End run(std::string& output, Until until);

 private:
  using Clock = std::chrono::steady_clock;

  /// Waits until a descriptor is ready, or until the time `next_`.
  bool wait();
  void write_some();

  Descriptor in_;
  Descriptor out_;
  const std::string& input_;
  const ChildLimits& limits_;
  const Waiter& waiter_;
  Clock::time_point end_;
  Clock::time_point next_;  ///< time of the next call of Waiter::after_long_run
  std::array<pollfd, 3> events_{};
  std::size_t written_ = 0;
};

}  // namespace ambit
