#include "apps/server/connection_stream.h"

#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>

namespace ambit::server {
namespace {

using Clock = std::chrono::steady_clock;
using Milliseconds = std::chrono::milliseconds;

bool is_ready(int socket, short event, Milliseconds longest) {
  const Clock::time_point end = Clock::now() + longest;
  pollfd state{socket, event, 0};
  int count = 0;
  do {
    const auto left = std::chrono::ceil<Milliseconds>(end - Clock::now());
    count = poll(&state, 1, static_cast<int>(std::max(left, Milliseconds(0)).count()));
  } while (count < 0 && errno == EINTR);
  return count > 0;
}

/// Reads and drops the remaining bytes before a connection is closed. If bytes remained unread, closing would reset the
/// connection and lose the last answer.
void drop_rest(int socket) {
  constexpr Milliseconds kLongest{1000};
  const Clock::time_point end = Clock::now() + kLongest;
  std::array<char, 4096> rest{};
  shutdown(socket, SHUT_WR);
  while (Clock::now() < end && is_ready(socket, POLLIN, std::chrono::ceil<Milliseconds>(end - Clock::now())) &&
         recv(socket, rest.data(), rest.size(), MSG_DONTWAIT) > 0) {}
}

}  // namespace

Peer peer_of(int socket) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  std::array<char, NI_MAXHOST> host{};
  std::array<char, NI_MAXSERV> port{};
  if (getpeername(socket, reinterpret_cast<sockaddr*>(&address), &size) != 0) return {};
  const int failed = getnameinfo(reinterpret_cast<const sockaddr*>(&address), size, host.data(), host.size(),
                                 port.data(), port.size(), NI_NUMERICHOST | NI_NUMERICSERV);
  if (failed != 0) return {};
  return {host.data(), std::atoi(port.data())};
}

ConnectionStream::ConnectionStream(int socket, Milliseconds read, Milliseconds write)
    : socket_(socket), read_(read), write_(write) {}

ConnectionStream::~ConnectionStream() {
  if (is_refused_) drop_rest(socket_);
  shutdown(socket_, SHUT_RDWR);
  close(socket_);
}

bool ConnectionStream::wait_for_request(Milliseconds longest) {
  head_ = line_ = 0;
  is_in_head_ = true;
  is_answering_ = false;
  return !is_refused_ && (at_ < size_ || is_ready(socket_, POLLIN, longest));
}

bool ConnectionStream::is_readable() const { return at_ < size_ || is_ready(socket_, POLLIN, read_); }
bool ConnectionStream::is_writable() const { return is_ready(socket_, POLLOUT, write_); }

bool ConnectionStream::fill() {
  if (!is_ready(socket_, POLLIN, read_)) return false;
  ssize_t count = 0;
  do count = recv(socket_, buffer_.data(), buffer_.size(), 0);
  while (count < 0 && errno == EINTR);
  at_ = 0;
  size_ = static_cast<std::size_t>(std::max<ssize_t>(count, 0));
  return count >= 0;
}

/// Counts the bytes in the request's head. An empty line ends the head (RFC 9112, 2.1).
void ConnectionStream::follow_head(const char* bytes, std::size_t count) {
  for (std::size_t i = 0; i < count && is_in_head_; ++i) {
    ++head_;
    if (bytes[i] == '\r') continue;
    if (bytes[i] == '\n') {
      is_in_head_ = line_ > 0;
      line_ = 0;
    } else {
      ++line_;
    }
  }
}

ssize_t ConnectionStream::read(char* bytes, std::size_t count) {
  if (is_in_head_ && head_ >= kMostHead) {
    is_refused_ = true;
    return -1;
  }
  if (at_ == size_ && !fill()) return -1;
  const std::size_t taken = std::min(count, size_ - at_);
  std::memcpy(bytes, buffer_.data() + at_, taken);
  at_ += taken;
  follow_head(bytes, taken);
  return static_cast<ssize_t>(taken);
}

ssize_t ConnectionStream::write(const char* bytes, std::size_t count) {
  if (!is_answering_) {
    const std::string_view begin(bytes, std::min<std::size_t>(count, 10));
    is_answering_ = begin != "HTTP/1.1 1";  // "100 Continue" is not the answer; the answer follows later
    is_refused_ = is_refused_ || begin == "HTTP/1.1 4" || begin == "HTTP/1.1 5";
  }
  if (!is_writable()) return -1;
  return send(socket_, bytes, count, MSG_NOSIGNAL);
}

void ConnectionStream::get_remote_ip_and_port(std::string& ip, int& port) const {
  const Peer peer = peer_of(socket_);
  ip = peer.address;
  port = peer.port;
}

void ConnectionStream::get_local_ip_and_port(std::string& ip, int& port) const {
  ip.clear();  // an unused address
  port = 0;
}

}  // namespace ambit::server
