#pragma once

#include <poll.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

#include "apps/server/child.h"
#include "apps/server/descriptor.h"

namespace ambit::server {

/// Writes a child's input and reads its output, both at once, until the output ends or a limit is reached.
class Exchange {
 public:
  /// Where an output ends: where the child closes it, or with the first line that it writes.
  enum class Until : std::uint8_t { Closed, Line };

  /// `in`: a socket (make_socket). References outlive the exchange.
  Exchange(Descriptor in, Descriptor out, const std::string& input, const ChildLimits& limits, const Waiter& waiter);

  /// Exited: the output has ended, and how the child ends is not known yet. Crashed: it was to end with a line, and
  /// does not. Others as in ChildResult.
  ChildResult::End run(std::string& output, Until until);

 private:
  using Clock = std::chrono::steady_clock;

  /// Until something happened or `next_`.
  bool wait();
  void write_some();
  bool read_some(std::string& output);

  Descriptor in_;
  Descriptor out_;
  const std::string& input_;
  const ChildLimits& limits_;
  const Waiter& waiter_;
  Clock::time_point end_;
  Clock::time_point next_;  ///< when the waiter is called
  std::array<pollfd, 3> events_{};
  std::size_t written_ = 0;
};

}  // namespace ambit::server
