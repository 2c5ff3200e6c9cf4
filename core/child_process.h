#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/exchange.h"

namespace ambit {

/// A child process and the process group that it leads: a Ctrl-C of the terminal does not reach it. The destructor
/// kills the group and waits for the process, so that no zombie remains.
class ChildProcess {
 public:
  /// Whether the child dies with the thread that started it.
  enum class Life : std::uint8_t { OfThread, Own };

  /// No process.
  ChildProcess() = default;
  /// Forks. The child calls `work`, then exits with status 0. In a process of several threads `work` must be
  /// async-signal-safe (signal-safety(7)). Not is_started() and errno: the system has no room for a process.
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
  /// Whether the process has ended; kill() then returns its status.
  bool has_ended() const;
  /// Kills the group and waits for the process, which is then no longer started. Returns its status as waitpid() does;
  /// 0 where it was not started.
  int kill();

 private:
  pid_t id_ = -1;
};

/// Whether the standard error of a program is dropped or goes where its standard output goes.
enum class Errors : std::uint8_t { Dropped, Kept };

/// Runs a program with `input` on its standard input, returns its standard output, and kills it and its group at its
/// limits. The child dies with the calling thread. Safe for several threads.
ChildResult run_child(const std::vector<std::string>& arguments, const std::string& input, const ChildLimits& limits,
                      const Waiter& waiter = {}, Errors errors = Errors::Dropped);

/// Starts a program with `in` as its standard input and nothing else open. Its output is dropped.
ChildProcess start_program(const std::vector<std::string>& arguments, int in);

/// For the child of a fork, where it is async-signal-safe. `in` and `out` become its standard streams and everything
/// else is closed. Ends the process on an error.
void enter_child(int in, int out, Errors errors = Errors::Dropped);
/// The same, where `errors` becomes the standard error.
void enter_child(int in, int out, int errors);
/// Sets this process's limits.
void take_limits(const ChildLimits& limits);
/// From now on this process can open nothing: no file, no socket. For children that answer untrusted requests.
void forbid_opening();

/// The path of an executable program in the folders of the PATH.
std::optional<std::string> find_in_path(const std::string& program);

}  // namespace ambit
