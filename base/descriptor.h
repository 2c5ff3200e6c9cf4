#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace ambit {

/// Owns a file descriptor. The destructor closes the descriptor.
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
  /// Closes the descriptor.
  void reset();

 private:
  int number_;
};

/// A pipe: `read` delivers the bytes written to `write`. A program that this process executes does not inherit the two
/// descriptors.
struct Pipe {
  Descriptor read;
  Descriptor write;
};

/// Each function returns false if the process has too many open descriptors. Sockets transfer data in both directions,
/// and MSG_NOSIGNAL prevents a SIGPIPE. Message sockets keep the boundaries of messages.
bool make_pipe(Pipe& pipe);
bool make_socket(Pipe& pipe);
bool make_message_sockets(Pipe& pair);

/// Appends up to 16 KiB from the descriptor; waits if there is no input yet. Returns false at the end of the input and
/// on an error.
bool read_some(int descriptor, std::string& text);
/// Writes the whole text. Returns false on an error.
bool write_all(int descriptor, std::string_view text);

}  // namespace ambit
