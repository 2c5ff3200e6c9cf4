#pragma once

#include <utility>

namespace ambit::server {

/// A file descriptor that is closed with its owner.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { reset(); }

  int number() const { return number_; }
  bool is_open() const { return number_ >= 0; }
  void reset();

 private:
  int number_;
};

/// What is written into one end is read from the other. Both are closed in programs that this one becomes.
struct Pipe {
  Descriptor read;
  Descriptor write;
};

/// Each false when the process has too many descriptors. The socket's `write` end can be told not to raise a signal
/// when nobody reads; the pair of sockets works both ways and keeps messages apart.
bool make_pipe(Pipe& pipe);
bool make_socket(Pipe& pipe);
bool make_message_sockets(Pipe& pair);

}  // namespace ambit::server
