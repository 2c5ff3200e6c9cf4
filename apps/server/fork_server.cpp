#include "apps/server/fork_server.h"

#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <type_traits>
#include <utility>

#include "base/assert.h"
#include "base/exchange.h"

namespace ambit::server {
namespace {

constexpr std::chrono::milliseconds kLongestStart = std::chrono::minutes(1);
static_assert(std::is_trivially_copyable_v<ChildLimits>);  // a message contains the bytes of the limits

/// A message to the server process. The message contains the limits and two descriptors: the input for the request, and
/// the output for the answer.
class Message {
 public:
  explicit Message(ChildLimits& limits) : part_{&limits, sizeof limits} {
    header_.msg_iov = &part_;
    header_.msg_iovlen = 1;
    header_.msg_control = control_.data();
    header_.msg_controllen = control_.size();
  }

  bool send(int socket, int in, int out) {
    const std::array<int, 2> descriptors{in, out};
    cmsghdr* about = CMSG_FIRSTHDR(&header_);
    about->cmsg_level = SOL_SOCKET;
    about->cmsg_type = SCM_RIGHTS;
    about->cmsg_len = CMSG_LEN(sizeof descriptors);
    std::memcpy(CMSG_DATA(about), descriptors.data(), sizeof descriptors);
    ssize_t sent = 0;
    do sent = sendmsg(socket, &header_, MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    return sent > 0;
  }

  /// Receives a message. Returns false if no further message will arrive.
  bool receive(int socket, Descriptor& in, Descriptor& out) {
    ssize_t received = 0;
    do received = recvmsg(socket, &header_, MSG_CMSG_CLOEXEC);
    while (received < 0 && errno == EINTR);
    const cmsghdr* about = CMSG_FIRSTHDR(&header_);
    std::array<int, 2> descriptors{-1, -1};
    if (about != nullptr && about->cmsg_len == CMSG_LEN(sizeof descriptors)) {
      std::memcpy(descriptors.data(), CMSG_DATA(about), sizeof descriptors);
    }
    in = Descriptor(descriptors[0]);
    out = Descriptor(descriptors[1]);
    return received > 0;
  }

 private:
  alignas(cmsghdr) std::array<char, CMSG_SPACE(2 * sizeof(int))> control_{};
  iovec part_;
  msghdr header_{};
};

std::string read_all(int descriptor) {
  std::string text;
  while (read_some(descriptor, text)) {}
  return text;
}

/// The server process of a ForkServer. Starts and watches the copies.
class Forks {
 public:
  explicit Forks(const Answerer& answer) : answer_(answer) {
    sigset_t child_ended;
    sigemptyset(&child_ended);
    sigaddset(&child_ended, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child_ended, nullptr);
    ended_ = Descriptor(signalfd(-1, &child_ended, SFD_CLOEXEC | SFD_NONBLOCK));
  }

  void run() {
    if (send(kControl, "", 1, MSG_NOSIGNAL) != 1) return;
    do wait();
    while (take_request());
  }

 private:
  using Clock = std::chrono::steady_clock;
  struct Copy {
    ChildProcess process;
    Descriptor out;
    Clock::time_point until;  ///< when to lower the copy's priority; then time_point::max()
  };
  static constexpr int kControl = STDIN_FILENO;
  static constexpr int kNiceness = 10;

  /// Waits for the next event. Then removes copies that have ended, and lowers the priority of long-running copies.
  void wait() {
    polled_.assign({{kControl, POLLIN, 0}, {ended_.number(), POLLIN, 0}});
    for (const Copy& copy : copies_) polled_.push_back({copy.out.number(), 0, 0});
    const int count = poll(polled_.data(), polled_.size(), time_to_next());
    let_others_ahead();
    if (count <= 0) return;
    for (std::size_t i = 0; i < copies_.size(); ++i) {
      if ((polled_[i + 2].revents & POLLERR) == 0) continue;
      kill(copies_[i].process.id(), SIGKILL);  // the reader of the copy's output has closed the pipe
      copies_[i].out.reset();
    }
    signalfd_siginfo ignored{};
    if (read(ended_.number(), &ignored, sizeof ignored) <= 0) return;
    std::erase_if(copies_, [](const Copy& copy) { return copy.process.has_ended(); });
  }

  /// Returns the milliseconds until a copy has run for kLongRun; -1 if all copies have run longer.
  int time_to_next() const {
    Clock::time_point next = Clock::time_point::max();
    for (const Copy& copy : copies_) next = std::min(next, copy.until);
    if (next == Clock::time_point::max()) return -1;
    return static_cast<int>(
        std::chrono::ceil<std::chrono::milliseconds>(std::max(next - Clock::now(), Clock::duration())).count());
  }

  void let_others_ahead() {
    for (Copy& copy : copies_) {
      if (copy.until > Clock::now()) continue;
      setpriority(PRIO_PROCESS, static_cast<id_t>(copy.process.id()), kNiceness);
      copy.until = Clock::time_point::max();
    }
  }

  /// Starts a copy if a message has arrived. Returns false if the channel is closed.
  bool take_request() {
    if ((polled_[0].revents & (POLLIN | POLLHUP)) == 0) return true;
    ChildLimits limits;
    Descriptor in;
    Descriptor out;
    if (!Message(limits).receive(kControl, in, out)) return false;
    if (!in.is_open()) return true;
    ChildProcess process([&] {
      enter_child(in.number(), out.number());
      take_limits(limits);
      forbid_opening();
      write_all(STDOUT_FILENO, answer_(read_all(STDIN_FILENO), limits) + '\n');
    });
    if (process.is_started()) copies_.push_back({std::move(process), std::move(out), Clock::now() + kLongRun});
    return true;
  }

  const Answerer& answer_;
  Descriptor ended_;
  std::vector<Copy> copies_;
  std::vector<pollfd> polled_;
};

}  // namespace

void serve_forks(const Answerer& answer) {
  // This process must have only one thread. Otherwise a copy could inherit a lock from another thread, but not the
  // thread that would release the lock.
  AMBIT_ASSERT(std::distance(std::filesystem::directory_iterator("/proc/self/task"), {}) == 1);
  Forks(answer).run();
}

bool ForkServer::start() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return start_locked();
}

bool ForkServer::start_locked() {
  control_.reset();
  process_.kill();
  Pipe pair;
  if (!make_message_sockets(pair)) return false;
  process_ = start_program(command_, pair.read.number());
  pair.read.reset();
  pollfd ready{pair.write.number(), POLLIN, 0};
  char byte = 0;
  const bool is_ready = process_.is_started() && poll(&ready, 1, static_cast<int>(kLongestStart.count())) == 1 &&
                        recv(pair.write.number(), &byte, 1, 0) ==
                            1;  // NOLINT(clang-analyzer-unix.BlockInCriticalSection): all callers need the process
  if (is_ready) control_ = std::move(pair.write);
  return is_ready;
}

bool ForkServer::send_request(int in, int out, const ChildLimits& limits) {
  const std::lock_guard<std::mutex> lock(mutex_);
  ChildLimits copy = limits;
  Message message(copy);
  if (control_.is_open() && message.send(control_.number(), in, out)) return true;
  return start_locked() && message.send(control_.number(), in, out);
}

ChildResult ForkServer::run(const std::string& input, const ChildLimits& limits, const Waiter& waiter) {
  ChildResult result;
  Pipe in;
  Pipe out;
  if (!make_socket(in) || !make_pipe(out)) return result;
  if (!send_request(in.read.number(), out.write.number(), limits)) return result;
  in.read.reset();
  out.write.reset();
  // If this function stops reading the output, the server process kills the copy.
  result.end =
      Exchange(std::move(in.write), std::move(out.read), input, limits, waiter).run(result.out, Exchange::Until::Line);
  if (result.end == ChildResult::End::Exited) result.out.pop_back();
  return result;
}

}  // namespace ambit::server
