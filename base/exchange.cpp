#include "base/exchange.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace ambit {

Exchange::Exchange(Descriptor in, Descriptor out, const std::string& input, const ChildLimits& limits,
                   const Waiter& waiter)
    : in_(std::move(in)),
      out_(std::move(out)),
      input_(input),
      limits_(limits),
      waiter_(waiter),
      end_(Clock::now() + limits.time),
      next_(Clock::now() + kLongRun) {
  fcntl(in_.number(), F_SETFL, O_NONBLOCK);
  if (input_.empty()) in_.reset();
}

bool Exchange::wait() {
  events_ = {{{out_.number(), POLLIN, 0}, {in_.number(), POLLOUT, 0}, {waiter_.connection, POLLRDHUP, 0}}};
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(std::min(end_, next_) - Clock::now()).count();
  const int count = poll(events_.data(), events_.size(), static_cast<int>(std::max<std::int64_t>(left, 0)));
  if (Clock::now() >= next_) {
    next_ += kLongRun;
    if (waiter_.after_long_run) waiter_.after_long_run();
  }
  return count >= 0 || errno == EINTR;
}

ChildResult::End Exchange::run(std::string& output, Until until) {
  while (wait()) {
    if (Clock::now() >= end_) return ChildResult::End::TimedOut;
    if (events_[2].revents != 0 || (waiter_.cancelled != nullptr && *waiter_.cancelled)) {
      return ChildResult::End::Abandoned;
    }
    if (events_[1].revents != 0) write_some();
    if (events_[0].revents == 0) continue;
    if (!read_some(out_.number(), output)) break;
    if (output.size() > limits_.output) return ChildResult::End::TooLong;
    if (until == Until::Line && output.ends_with('\n')) return ChildResult::End::Exited;
  }
  return until == Until::Line ? ChildResult::End::Crashed : ChildResult::End::Exited;
}

void Exchange::write_some() {
  const ssize_t count = send(in_.number(), input_.data() + written_, input_.size() - written_, MSG_NOSIGNAL);
  if (count > 0) written_ += static_cast<std::size_t>(count);
  const bool is_over = count < 0 && errno != EAGAIN && errno != EINTR;
  if (is_over || written_ == input_.size()) in_.reset();
}

}  // namespace ambit
