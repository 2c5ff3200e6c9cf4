#pragma once

#include <memory>
#include <string>

#include "core/child_process.h"

namespace ambit::server {

struct ServeOptions {
  std::string host = "127.0.0.1";
  int port = 8080;      ///< 0 for any free port
  std::string program;  ///< path of this program, which the children run
  /// Children at the same time, not counting those that have run for kLongRun; further requests wait.
  unsigned children = 2;
  ChildLimits limits;  ///< limits of one answer
  std::string course;  ///< course in the form of course_json()
};

/// The playground: a page, and answers to its requests. This process does not evaluate any part of a request. A child
/// process that cannot open files answers the request. The child is killed at its limits, or when the connection
/// closes.
class HttpServer {
 public:
  explicit HttpServer(ServeOptions options);
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  enum class Bound : std::uint8_t { Yes, PortInUse, No };
  /// Binds the port.
  Bound bind();
  /// Starts the process whose copies answer (ForkServer). Returns false if the system cannot start it. Without a call
  /// of this function, the first request starts the process.
  bool prepare();
  /// Returns the bound port.
  int port() const;
  /// Serves until stop() is called, from the thread of a signal handler or from another thread.
  void run();
  void stop();

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace ambit::server
