#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/exchange.h"

namespace ambit {

/// A child process and the process group that it leads. Ctrl-C in the terminal does not interrupt the child. The
/// destructor kills the group and waits for the process, so that no zombie remains.
class ChildProcess {
 public:
  /// OfThread: the child dies together with the thread that started it. Own: the child can outlive this thread.
  enum class Life : std::uint8_t { OfThread, Own };

  /// Represents no process.
  ChildProcess() = default;
  /// Forks. The child calls `work`, then exits with status 0. If this process has several threads, `work` must be
  /// async-signal-safe (signal-safety(7)). If the system cannot create a process, is_started() is false and errno has
  /// the reason.
  explicit ChildProcess(const std::function<void()>& work, Life life = Life::OfThread);
  ChildProcess(ChildProcess&& other) noexcept : id_(std::exchange(other.id_, -1)) {}
  ChildProcess& operator=(ChildProcess&& other) noexcept {
    std::swap(id_, other.id_);
    return *this;
  }
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ~ChildProcess() { kill(); }

  bool is_started() const { return id_ > 0; }
  pid_t id() const { return id_; }
  /// Returns whether the process has ended; kill() then returns its status.
  bool has_ended() const;
  /// Kills the group and waits for the process. is_started() is false afterwards. Returns the status in the format of
  /// waitpid(), or 0 if the process was not started.
  int kill();

 private:
  pid_t id_ = -1;
};

/// Selects whether a program's standard error is dropped or added to its standard output.
enum class Errors : std::uint8_t { Dropped, Kept };

/// Runs a program with `input` on its standard input and returns its standard output. Kills the program's process group
/// when a limit is reached. The child dies with the calling thread. This function is thread-safe.
ChildResult run_child(const std::vector<std::string>& arguments, const std::string& input, const ChildLimits& limits,
                      const Waiter& waiter = {}, Errors errors = Errors::Dropped);

/// Starts a program with `in` as its standard input and no other open descriptor. The program's output is dropped.
ChildProcess start_program(const std::vector<std::string>& arguments, int in);

/// Prepares a forked child; async-signal-safe. Makes `in` and `out` the child's standard input and output, and closes
/// all other descriptors. Ends the process on an error.
void enter_child(int in, int out, Errors errors = Errors::Dropped);
/// Like enter_child() above, but `errors` becomes the standard error.
void enter_child(int in, int out, int errors);
/// Sets this process's limits.
void take_limits(const ChildLimits& limits);
/// Prevents this process from opening files and sockets. Call this function in children that answer untrusted requests.
void forbid_opening();

/// Returns the path of an executable program in the folders of the PATH.
std::optional<std::string> find_in_path(const std::string& program);

}  // namespace ambit
