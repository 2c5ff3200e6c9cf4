#include "base/descriptor.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace ambit {
namespace {

bool take_ends(int error, const std::array<int, 2>& ends, Pipe& pipe) {
  if (error != 0) return false;
  pipe.read = Descriptor(ends[0]);
  pipe.write = Descriptor(ends[1]);
  return true;
}

bool make_pair_of_sockets(int type, Pipe& pipe) {
  std::array<int, 2> ends{};
  return take_ends(socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, ends.data()), ends, pipe);
}

}  // namespace

void Descriptor::reset() {
  if (number_ >= 0) close(number_);
  number_ = -1;
}

bool make_pipe(Pipe& pipe) {
  std::array<int, 2> ends{};
  return take_ends(pipe2(ends.data(), O_CLOEXEC), ends, pipe);
}

bool make_socket(Pipe& pipe) { return make_pair_of_sockets(SOCK_STREAM, pipe); }

bool make_message_sockets(Pipe& pair) { return make_pair_of_sockets(SOCK_SEQPACKET, pair); }

bool read_some(int descriptor, std::string& text) {
  std::array<char, 16384> buffer{};  // the buffer is small because it is on the stack of each server thread
  const ssize_t count = read(descriptor, buffer.data(), buffer.size());
  if (count > 0) text.append(buffer.data(), static_cast<std::size_t>(count));
  return count > 0 || (count < 0 && errno == EINTR);
}

bool write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = write(descriptor, text.data(), text.size());
    if (count > 0) text.remove_prefix(static_cast<std::size_t>(count));
    if (count == 0 || (count < 0 && errno != EINTR)) return false;
  }
  return true;
}

}  // namespace ambit
