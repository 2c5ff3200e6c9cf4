#pragma once

#include <memory>
#include <string>

#include "base/child_process.h"

namespace ambit::server {

struct ServeOptions {
  std::string host = "127.0.0.1";
  int port = 8080;      ///< port to listen on; 0 for any free port
  std::string program;  ///< path of this program, which the children run.
  /// Maximum number of children at the same time, without the children that have run for kLongRun. Further requests
  /// wait.
  unsigned children = 2;
  ChildLimits limits;  ///< limits for computing one answer
  std::string course;  ///< the course, as course_json() returns it
};

/// The playground's server: sends the page, and answers the page's requests. The server process itself evaluates no
/// part of a request. A child process, which cannot open files, computes the answer. The server kills the child at its
/// limits, or when the connection closes.
class HttpServer {
 public:
  explicit HttpServer(ServeOptions options);
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  enum class Bound : std::uint8_t { Yes, PortInUse, No };
  /// Binds the port.
  Bound bind();
  /// Starts the ForkServer process whose copies compute answers. Returns false if the system cannot start the process.
  /// If this function is not called, the first request starts the process.
  bool prepare();
  /// Returns the bound port.
  int port() const;
  /// Serves requests until a signal handler or another thread calls stop().
  void run();
  void stop();

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace ambit::server
