#include "base/stoppable_input.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <ios>
#include <system_error>

namespace ambit {
namespace {

bool is_set(const std::atomic<bool>* flag) { return flag != nullptr && flag->load(std::memory_order_relaxed); }

}  // namespace

bool wait_for_input(int descriptor, const std::atomic<bool>* stopped) {
  constexpr int kPeriod = 50;  // milliseconds
  struct pollfd input = {descriptor, POLLIN, 0};
  while (!is_set(stopped)) {
    const int ready = poll(&input, 1, stopped == nullptr ? -1 : kPeriod);
    if (ready > 0 || (ready < 0 && errno != EINTR)) return true;
  }
  return false;
}

Descriptor open_input(const std::string& path) {
  return Descriptor(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
}

Descriptor standard_input() { return Descriptor(fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)); }

StoppableInput::int_type StoppableInput::underflow() {
  while (wait_for_input(input_.number(), stopped_)) {
    const ssize_t count = read(input_.number(), buffer_.data(), buffer_.size());
    if (count == 0) break;
    if (count > 0) {
      setg(buffer_.data(), buffer_.data(), buffer_.data() + count);
      return traits_type::to_int_type(buffer_.front());
    }
    if (errno != EINTR && errno != EAGAIN) {
      throw std::ios_base::failure("cannot read", std::error_code(errno, std::generic_category()));
    }
  }
  return traits_type::eof();
}

}  // namespace ambit
