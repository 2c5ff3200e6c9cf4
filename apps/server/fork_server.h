#pragma once

#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "core/child_process.h"
#include "core/descriptor.h"

namespace ambit::server {

/// A process that has loaded libraries and models, and copies itself for each request. The copy answers the request and
/// ends. The process itself does not read requests.
class ForkServer {
 public:
  /// `command`: the path and arguments of a program that calls serve_forks().
  explicit ForkServer(std::vector<std::string> command) : command_(std::move(command)) {}

  /// Starts the process and waits until it is ready. Returns false if it cannot be started.
  bool start();

  /// Returns the answer of a copy to `input`. The copy is killed at its limits. After kLongRun, its priority drops.
  /// Starts the process again if it has ended. Thread-safe.
  ChildResult run(const std::string& input, const ChildLimits& limits, const Waiter& waiter = {});

 private:
  bool start_locked();
  bool send_request(int in, int out, const ChildLimits& limits);

  std::vector<std::string> command_;
  std::mutex mutex_;
  Descriptor control_;
  ChildProcess process_;  ///< when the process ends, its copies end, too
};

/// Returns the answer to an input within the limits. The function itself observes the time limit.
using Answerer = std::function<std::string(const std::string& input, const ChildLimits& limits)>;

/// Runs the process of a ForkServer, which receives messages on its standard input. Writes the answer to each input as
/// one line. Returns when the ForkServer has ended. The calling process must have only one thread.
void serve_forks(const Answerer& answer);

}  // namespace ambit::server
