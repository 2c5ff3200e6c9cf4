#pragma once

#include <httplib.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <string>

namespace ambit::server {

/// The peer of a connection.
struct Peer {
  std::string address;  ///< numeric address; empty if not connected
  int port = 0;
  friend bool operator==(const Peer&, const Peer&) = default;
};
Peer peer_of(int socket);

/// A connection that the HTTP library reads and writes. Limits the head of a request to kMostHead bytes, because the
/// library reads lines and headers of any length into memory.
class ConnectionStream : public httplib::Stream {
 public:
  static constexpr std::size_t kMostHead = std::size_t{64} << 10;

  /// The destructor closes `socket`. The connection ends if the peer sends no bytes for the time `read`, or accepts no
  /// bytes for the time `write`.
  ConnectionStream(int socket, std::chrono::milliseconds read, std::chrono::milliseconds write);
  ~ConnectionStream() override;
  ConnectionStream(const ConnectionStream&) = delete;
  ConnectionStream& operator=(const ConnectionStream&) = delete;

  /// Waits for the next request. Returns false if no request arrives. Also returns false after an answer with an error
  /// status, because the next bytes may belong to the refused request.
  bool wait_for_request(std::chrono::milliseconds longest);

  bool is_readable() const override;
  bool is_writable() const override;
  ssize_t read(char* bytes, std::size_t count) override;
  ssize_t write(const char* bytes, std::size_t count) override;
  void get_remote_ip_and_port(std::string& ip, int& port) const override;
  void get_local_ip_and_port(std::string& ip, int& port) const override;
  socket_t socket() const override { return socket_; }

 private:
  bool fill();
  void follow_head(const char* bytes, std::size_t count);

  int socket_;
  std::chrono::milliseconds read_;
  std::chrono::milliseconds write_;
  std::array<char, 4096> buffer_{};
  std::size_t at_ = 0;
  std::size_t size_ = 0;
  std::size_t head_ = 0;  ///< number of bytes read so far in this request's head
  std::size_t line_ = 0;  ///< number of bytes read so far in the head's current line
  bool is_in_head_ = true;
  bool is_answering_ = false;
  bool is_refused_ = false;
};

}  // namespace ambit::server
