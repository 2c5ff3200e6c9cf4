#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace ambit::serving {

/// Processes that a process has started and not yet waited for.
std::vector<pid_t> children_of(pid_t process);
/// The process of which answers are copies (ForkServer): of a server's children the one that runs the program; -1:
/// none.
pid_t worker_of(pid_t server);

/// `ambit serve` in a folder of its own, on a port that was free. Ends with its owner.
class Served {
 public:
  /// `ambit`: the program's file; `arguments`: of `serve`, beside the port. Not running() where it did not start.
  Served(const std::string& ambit, const std::string& arguments);
  ~Served();
  Served(const Served&) = delete;
  Served& operator=(const Served&) = delete;

  bool is_running();
  int port() const { return port_; }
  /// Resident memory of the server, and of its process of which answers are copies, in bytes; 0: gone.
  std::uint64_t memory() const;
  std::uint64_t worker_memory() const;
  /// Seconds of processor time of the server and of all its children that have ended.
  double processor_time() const;
  /// Files and connections that it has open.
  std::size_t descriptors() const;
  /// Names and contents of all that is in its folder, as one number.
  std::uint64_t folder() const;

 private:
  std::filesystem::path path_;
  pid_t process_ = -1;
  int port_ = 0;
};

/// A connection to the server on this machine. What fails, fails silently: servers close on strangers.
class Connection {
 public:
  explicit Connection(int port);
  ~Connection();
  Connection(Connection&& other) noexcept;
  Connection& operator=(Connection&&) = delete;
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void send(const std::string& bytes);
  /// Says that no more will be sent.
  void finish();
  /// All that comes until the server closes, or nothing came for `seconds`.
  std::string receive(int seconds);
  /// One response, by its Content-Length; nothing where there is none within `seconds`.
  std::optional<std::string> response(int seconds);

 private:
  bool fill(int seconds);
  int socket_ = -1;
  std::string buffer_;
};

/// "POST /api HTTP/1.1" with what a browser sends.
std::string post(const std::string& body);
/// The number in a response's first line; 0: it is no response.
int status_of(const std::string& response);

}  // namespace ambit::serving
