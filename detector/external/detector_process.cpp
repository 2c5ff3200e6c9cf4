#include "detector/external/detector_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <utility>

namespace ambit::external {
namespace {

using std::chrono::milliseconds;

/// Limit on the program's output that Ambit buffers, in bytes. Answers about one run are shorter.
constexpr std::size_t kMostOutput = std::size_t{64} << 20U;
constexpr std::size_t kKeptErrors = 4096;
constexpr int kSocketBuffer = 1 << 20;  ///< pipe size in bytes; large, so that the processes rarely wait for each other
constexpr milliseconds kLook{100};
/// The program must exit within this time after either its input or its output is closed.
constexpr milliseconds kFarewell{300};
constexpr int kNotStarted = 127;

std::vector<char*> pointers_of(const std::vector<std::string>& arguments) {
  std::vector<char*> pointers;
  for (const std::string& argument : arguments) pointers.push_back(const_cast<char*>(argument.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

/// Returns the last line that is neither blank nor indented. The indented lines are hints and traceback frames.
std::string last_line(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = text.find_last_not_of(" \t\r\n");
    if (end == std::string_view::npos) break;
    text = text.substr(0, end + 1);
    const std::size_t before = text.rfind('\n');
    const std::string_view line = text.substr(before == std::string_view::npos ? 0 : before + 1);
    if (line.front() != ' ' && line.front() != '\t') return std::string(line);
    text = text.substr(0, text.size() - line.size());
  }
  return {};
}

void wait_for_end(const ChildProcess& child, const std::atomic<bool>* interrupted) {
  const auto until = std::chrono::steady_clock::now() + kFarewell;
  while (!child.has_ended() && std::chrono::steady_clock::now() < until) {
    if (interrupted != nullptr && *interrupted) return;
    usleep(1000);
  }
}

}  // namespace

DetectorProcess::DetectorProcess(const std::vector<std::string>& arguments, const Patience& patience)
    : patience_(patience), left_(patience.for_a_run) {
  Pipe in;
  Pipe out;
  Pipe errors;
  if (!make_socket(in) || !make_pipe(out) || !make_pipe(errors)) {
    stop(End::Ended, "cannot be started: too many open files");
    return;
  }
  setsockopt(in.write.number(), SOL_SOCKET, SO_SNDBUF, &kSocketBuffer, sizeof kSocketBuffer);
  const std::vector<char*> argv = pointers_of(arguments);
  child_ = ChildProcess([&] {
    enter_child(in.read.number(), out.write.number(), errors.write.number());
    execv(argv[0], argv.data());
    _exit(kNotStarted);
  });
  if (!child_.is_started()) {
    stop(End::Ended, fmt::format("cannot be started: {}", std::strerror(errno)));
    return;
  }
  in_ = std::move(in.write);
  out_ = std::move(out.read);
  errors_ = std::move(errors.read);
  for (const Descriptor* one : {&in_, &out_, &errors_}) fcntl(one->number(), F_SETFL, O_NONBLOCK);
}

DetectorProcess::~DetectorProcess() {
  in_.reset();
  if (end_ == End::None && child_.is_started()) wait_for_end(child_, patience_.interrupted);
}

bool DetectorProcess::stop(End end, std::string why) {
  if (end_ != End::None) return false;
  end_ = end;
  why_ = std::move(why);
  if (end == End::Ended) return false;  // the process has ended, and its exit status is known
  in_.reset();
  child_.kill();
  return false;
}

/// Called when the program has closed a stream. Ends the process and records how the program ended.
bool DetectorProcess::stop_at_end() {
  if (end_ != End::None) return false;
  wait_for_end(child_, patience_.interrupted);
  take_errors();
  const bool has_ended = child_.has_ended();
  const int status = child_.kill();
  const std::string last = last_line(error_text_);
  const std::string detail = last.empty() ? "" : ": " + last;
  if (!has_ended) return stop(End::Ended, "closed its output before the end of the runs" + detail);
  if (WIFSIGNALED(status)) {
    const int number = WTERMSIG(status);
    return stop(End::Ended, fmt::format("was killed by signal {} ({}){}", number, strsignal(number), detail));
  }
  if (WEXITSTATUS(status) == kNotStarted && last.empty()) return stop(End::Ended, "cannot be executed");
  return stop(End::Ended,
              fmt::format("ended with status {} before the end of the runs{}", WEXITSTATUS(status), detail));
}

bool DetectorProcess::take_output() {
  errno = 0;  // at the end of the output, read() leaves errno unchanged
  if (read_some(out_.number(), output_)) {
    if (output_.size() - taken_ <= kMostOutput) return true;
    return stop(End::TooMuch, fmt::format("writes more than {} MiB about one run", kMostOutput >> 20U));
  }
  if (errno == EAGAIN) return true;
  return stop_at_end();
}

void DetectorProcess::take_errors() {
  errno = 0;
  while (read_some(errors_.number(), error_text_)) {
    if (error_text_.size() > 2 * kKeptErrors) error_text_.erase(0, error_text_.size() - kKeptErrors);
    errno = 0;
  }
  if (errno != EAGAIN) errors_.reset();
}

bool DetectorProcess::wait(bool wants_to_write) {
  if (end_ != End::None) return false;
  if (patience_.interrupted != nullptr && *patience_.interrupted) return stop(End::Interrupted, "interrupted");
  if (left_ <= std::chrono::nanoseconds::zero()) {
    const double seconds = std::chrono::duration<double>(patience_.for_a_run).count();
    return stop(End::Slow, fmt::format("no answer within {} s", seconds));
  }
  std::array<pollfd, 3> events{{{out_.number(), POLLIN, 0}, {errors_.number(), POLLIN, 0}, {-1, POLLOUT, 0}}};
  if (wants_to_write) events[2].fd = in_.number();
  const auto begin = Clock::now();
  const auto look = std::min<std::chrono::nanoseconds>(left_, kLook);
  poll(events.data(), events.size(), static_cast<int>(std::chrono::ceil<milliseconds>(look).count()));
  const auto passed = Clock::now() - begin;
  left_ -= passed;
  waited_ += passed;
  if (events[1].revents != 0) take_errors();
  return events[0].revents == 0 || take_output();
}

bool DetectorProcess::send(std::string_view bytes) {
  while (!bytes.empty()) {
    if (end_ != End::None) return false;
    const ssize_t count = ::send(in_.number(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(count));
    } else if (errno == EAGAIN) {
      if (!wait(true)) return false;
    } else if (errno != EINTR) {
      return stop_at_end();
    }
  }
  return true;
}

std::optional<std::string> DetectorProcess::line() {
  while (true) {
    const std::size_t end = output_.find('\n', std::max(searched_, taken_));
    if (end != std::string::npos) {
      std::string line = output_.substr(taken_, end - taken_);
      taken_ = searched_ = end + 1;
      if (taken_ == output_.size()) {
        output_.clear();
        taken_ = searched_ = 0;
      }
      return line;
    }
    searched_ = output_.size();
    if (!wait(false)) return std::nullopt;
  }
}

std::uint64_t DetectorProcess::peak_memory() const {
  std::ifstream status(fmt::format("/proc/{}/status", child_.id()));
  for (std::string word; status >> word;) {
    std::uint64_t kib = 0;
    if (word == "VmHWM:" && status >> kib) return kib * 1024;
  }
  return 0;
}

}  // namespace ambit::external
