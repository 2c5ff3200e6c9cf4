#pragma once

#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "core/child_process.h"
#include "core/descriptor.h"

namespace ambit::server {

/// A process that has read what answers need, libraries and models, and makes a copy of itself for each request: the
/// copy answers it and ends, and pays for no more than that. The process itself reads nothing of a request.
class ForkServer {
 public:
  /// `command`: a program that calls serve_forks(), by its file.
  explicit ForkServer(std::vector<std::string> command) : command_(std::move(command)) {}

  /// Starts the process and waits until it is ready. False: it cannot be started.
  bool start();

  /// What a copy says to `input`. It is killed at its limits; after kWhile others are ahead of it. Starts the process
  /// where it is gone. Safe for several threads.
  ChildResult run(const std::string& input, const ChildLimits& limits, const Waiter& waiter = {});

 private:
  bool start_locked();
  bool send_request(int in, int out, const ChildLimits& limits);

  std::vector<std::string> command_;
  std::mutex mutex_;
  Descriptor control_;
  ChildProcess process_;  ///< its copies die with it
};

/// What a copy says to an input within its limits, of which it keeps to the time itself.
using Answerer = std::function<std::string(const std::string& input, const ChildLimits& limits)>;

/// The process of a ForkServer, whose messages come on its standard input: what `answer` gives to each input, as one
/// line. Returns when the ForkServer is gone. This process must have one thread.
void serve_forks(const Answerer& answer);

}  // namespace ambit::server
