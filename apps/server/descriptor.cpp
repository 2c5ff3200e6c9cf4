#include "apps/server/descriptor.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>

namespace ambit::server {
namespace {

bool make_pair_of_sockets(int type, Pipe& pipe) {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, ends.data()) != 0) return false;
  pipe.read = Descriptor(ends[0]);
  pipe.write = Descriptor(ends[1]);
  return true;
}

}  // namespace

void Descriptor::reset() {
  if (number_ >= 0) close(number_);
  number_ = -1;
}

bool make_pipe(Pipe& pipe) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return false;
  pipe.read = Descriptor(ends[0]);
  pipe.write = Descriptor(ends[1]);
  return true;
}

bool make_socket(Pipe& pipe) { return make_pair_of_sockets(SOCK_STREAM, pipe); }

bool make_message_sockets(Pipe& pair) { return make_pair_of_sockets(SOCK_SEQPACKET, pair); }

}  // namespace ambit::server
