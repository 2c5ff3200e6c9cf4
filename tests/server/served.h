#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace ambit::serving {

/// Returns the children of a process, except children that have ended and for which the process has called wait().
std::vector<pid_t> children_of(pid_t process);
/// Returns the server's child that forks a copy for each answer (ForkServer). Returns -1 if the server has no such
/// child.
pid_t worker_of(pid_t server);

/// Runs `ambit serve` in a new folder, on a free port. The destructor ends the server.
class Served {
 public:
  /// `ambit` is the program's file; `arguments` are the arguments of `serve`, without the port. If the program does not
  /// start, is_running() is false.
  Served(const std::string& ambit, const std::string& arguments);
  ~Served();
  Served(const Served&) = delete;
  Served& operator=(const Served&) = delete;

  bool is_running();
  int port() const { return port_; }
  /// Returns, in bytes, the resident memory of the server or of the process that forks copies. Returns 0 if the process
  /// has ended.
  std::uint64_t memory() const;
  std::uint64_t worker_memory() const;
  /// Returns the processor time, in seconds, of the server and of its children that have ended.
  double processor_time() const;
  /// Returns the number of files and connections that the server has open.
  std::size_t descriptors() const;
  /// Returns a hash of the names and contents of all files in the server's folder.
  std::uint64_t folder() const;

 private:
  std::filesystem::path path_;
  pid_t process_ = -1;
  int port_ = 0;
};

/// A connection to the server on this machine. Errors are ignored, because servers may close connections at any time.
class Connection {
 public:
  explicit Connection(int port);
  ~Connection();
  Connection(Connection&& other) noexcept;
  Connection& operator=(Connection&&) = delete;
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void send(const std::string& bytes);
  /// Announces that nothing more will be sent.
  void finish();
  /// Returns all bytes until the server closes the connection or sends nothing for `seconds`.
  std::string receive(int seconds);
  /// Returns one response, delimited by its Content-Length; nothing if no response arrives within `seconds`.
  std::optional<std::string> response(int seconds);

 private:
  bool fill(int seconds);
  int socket_ = -1;
  std::string buffer_;
};

/// Returns "POST /api HTTP/1.1" with a browser's headers.
std::string post(const std::string& body);
/// Returns the status in a response's first line, or 0 if the text is not a response.
int status_of(const std::string& response);

}  // namespace ambit::serving
