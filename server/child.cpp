#include "server/child.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

namespace ambit::server {
namespace {

using Clock = std::chrono::steady_clock;

/// A file descriptor that is closed with its owner.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { reset(); }

  int number() const { return number_; }
  bool is_open() const { return number_ >= 0; }
  void reset() {
    if (number_ >= 0) close(number_);
    number_ = -1;
  }

 private:
  int number_;
};

struct Pipe {
  Descriptor read;
  Descriptor write;
};

/// A socket, because a write to one whose other end is gone can be told not to raise a signal.
bool make_socket(Pipe& pipe) {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) return false;
  pipe.read = Descriptor(ends[0]);
  pipe.write = Descriptor(ends[1]);
  return true;
}

bool make_pipe(Pipe& pipe) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return false;
  pipe.read = Descriptor(ends[0]);
  pipe.write = Descriptor(ends[1]);
  return true;
}

void limit(decltype(RLIMIT_CPU) what, rlim_t value) {
  const rlimit both{value, value};
  setrlimit(what, &both);
}

/// In the child, between fork and exec: only what is safe there (signal-safety(7)).
[[noreturn]] void become(char* const* arguments, int in, int out, const ChildLimits& limits) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  dup2(in, STDIN_FILENO);
  dup2(out, STDOUT_FILENO);
  if (nowhere >= 0) dup2(nowhere, STDERR_FILENO);
  limit(RLIMIT_AS, limits.memory);
  limit(RLIMIT_CPU, static_cast<rlim_t>(limits.time.count() / 1000 + 2));
  limit(RLIMIT_FSIZE, 0);
  limit(RLIMIT_CORE, 0);
  signal(SIGPIPE, SIG_DFL);
  signal(SIGXFSZ, SIG_IGN);  // a cache that cannot be written (fontconfig) is no reason to die
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  execv(arguments[0], arguments);
  _exit(127);
}

/// Writes and reads until the child closes its output, its time is over or it writes too much.
class Exchange {
 public:
  Exchange(Descriptor in, Descriptor out, const std::string& input, const ChildLimits& limits)
      : in_(std::move(in)), out_(std::move(out)), input_(input), limits_(limits), end_(Clock::now() + limits.time) {
    fcntl(in_.number(), F_SETFL, O_NONBLOCK);
    if (input_.empty()) in_.reset();
  }

  ChildResult::End run(std::string& output) {
    while (true) {
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end_ - Clock::now()).count();
      if (left <= 0) return ChildResult::End::TimedOut;
      std::array<pollfd, 2> events{{{out_.number(), POLLIN, 0}, {in_.number(), POLLOUT, 0}}};
      if (poll(events.data(), in_.is_open() ? 2 : 1, static_cast<int>(left)) < 0 && errno != EINTR) break;
      if (in_.is_open() && events[1].revents != 0) write_some();
      if (events[0].revents == 0) continue;
      if (!read_some(output)) break;
      if (output.size() > limits_.output) return ChildResult::End::TooLong;
    }
    return ChildResult::End::Exited;
  }

 private:
  void write_some() {
    const ssize_t count = send(in_.number(), input_.data() + written_, input_.size() - written_, MSG_NOSIGNAL);
    if (count > 0) written_ += static_cast<std::size_t>(count);
    const bool is_over = count < 0 && errno != EAGAIN && errno != EINTR;
    if (is_over || written_ == input_.size()) in_.reset();
  }
  bool read_some(std::string& output) {
    std::array<char, 65536> buffer{};
    const ssize_t count = read(out_.number(), buffer.data(), buffer.size());
    if (count > 0) output.append(buffer.data(), static_cast<std::size_t>(count));
    return count > 0 || (count < 0 && errno == EINTR);
  }

  Descriptor in_;
  Descriptor out_;
  const std::string& input_;
  const ChildLimits& limits_;
  Clock::time_point end_;
  std::size_t written_ = 0;
};

/// The status of a child that has closed its output. One that then does not end, though it `should`, is killed.
int wait_for(pid_t child, bool should) {
  constexpr int kPatience = 200;  // times 5 ms
  int status = 0;
  for (int i = 0; should && i < kPatience; ++i) {
    if (waitpid(child, &status, WNOHANG) == child) return status;
    usleep(i == 0 ? 500 : 5000);
  }
  kill(child, SIGKILL);
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
  return status;
}

}  // namespace

ChildResult run_child(const std::vector<std::string>& arguments, const std::string& input, const ChildLimits& limits) {
  ChildResult result;
  Pipe in;
  Pipe out;
  if (!make_socket(in) || !make_pipe(out)) return result;
  std::vector<char*> argv;
  argv.reserve(arguments.size() + 1);
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  const pid_t child = fork();
  if (child < 0) return result;
  if (child == 0) become(argv.data(), in.read.number(), out.write.number(), limits);
  in.read.reset();
  out.write.reset();
  result.end = Exchange(std::move(in.write), std::move(out.read), input, limits).run(result.out);
  const int status = wait_for(child, result.end == ChildResult::End::Exited);
  if (result.end != ChildResult::End::Exited) return result;
  if (!WIFEXITED(status)) {
    result.end = ChildResult::End::Crashed;
  } else {
    result.status = WEXITSTATUS(status);
  }
  return result;
}

void forbid_opening() { limit(RLIMIT_NOFILE, 0); }

}  // namespace ambit::server
