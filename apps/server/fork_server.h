#pragma once

#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "base/child_process.h"
#include "base/descriptor.h"

namespace ambit::server {

/// A server process that answers requests in copies of itself. The server process loads libraries and models once, and
/// forks a copy of itself for each request. The copy reads the request, answers it and ends. The server process itself
/// does not read requests.
class ForkServer {
 public:
  /// `command`: the path and arguments of a program that calls serve_forks().
  explicit ForkServer(std::vector<std::string> command) : command_(std::move(command)) {}

  /// Starts the server process and waits until it is ready. Returns false if the process cannot be started.
  bool start();

  /// Starts a copy and returns its answer to `input`. The server process kills a copy that reaches the limits, and
  /// lowers the copy's priority after kLongRun. If the server process has ended, run() starts it again. Thread-safe.
  ChildResult run(const std::string& input, const ChildLimits& limits, const Waiter& waiter = {});

 private:
  bool start_locked();
  bool send_request(int in, int out, const ChildLimits& limits);

  std::vector<std::string> command_;
  std::mutex mutex_;
  Descriptor control_;
  ChildProcess process_;  ///< when this process ends, its copies end, too
};

/// A function that answers an input within the limits. The function itself must stop at the time limit.
using Answerer = std::function<std::string(const std::string& input, const ChildLimits& limits)>;

/// Implements the server process of a ForkServer. Receives messages on the standard input, and writes the answer to
/// each input as one line. Returns when the ForkServer has ended. The calling process must have only one thread.
void serve_forks(const Answerer& answer);

}  // namespace ambit::server
