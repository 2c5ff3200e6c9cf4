#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "core/child_process.h"

namespace ambit::server {

struct ServeOptions {
  std::string host = "127.0.0.1";
  int port = 8080;        ///< 0: any that is free
  std::string program;    ///< this program's file: answers are made by children that run it
  unsigned children = 2;  ///< at the same time, of those that have not run for long (kWhile); further requests wait
  ChildLimits limits;     ///< of one answer
};

/// The playground: a page, and answers to its requests. Nothing that a request holds is evaluated in this process: a
/// child process that can open no file answers it, and is killed at its limits or when nobody waits for its answer.
class HttpServer {
 public:
  explicit HttpServer(ServeOptions options);
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  /// Takes the port; false when it is not to be had.
  bool bind();
  /// Starts the process whose copies answer (ForkServer); false when the system has no room for it. Where it is not
  /// called, the first request waits for that.
  bool prepare();
  /// The port taken.
  int port() const;
  /// Serves until stop() is called, from a signal handler's thread or another.
  void run();
  void stop();

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace ambit::server
