#include "support.h"
#include "tests/support/files.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <sstream>
#include <system_error>
#include <thread>

namespace ambit::server {
namespace {

namespace fs = std::filesystem;

}  // namespace

std::string manifold(int threads) {
  std::string text = "CUDA t\n{ global int x = 0; }\n";
  std::string condition;
  for (int t = 0; t < threads; ++t) {
    const std::string name = "P" + std::to_string(t);
    text += name + " @ block " + std::to_string(t) + " { x = " + std::to_string(t + 1) + "; int a = x; int b = x; }\n";
    condition.append(t == 0 ? "" : " && ").append(name).append(":a == 0 && ").append(name).append(":b == 1");
  }
  return text + "exists (" + condition + ")";
}

std::vector<pid_t> children_of(pid_t process) {
  std::vector<pid_t> children;
  std::error_code gone;
  for (const auto& task : fs::directory_iterator("/proc/" + std::to_string(process) + "/task", gone)) {
    std::istringstream in(test::contents(task.path() / "children"));
    children.insert(children.end(), std::istream_iterator<pid_t>(in), {});
  }
  return children;
}

pid_t the_worker() {
  for (const pid_t child : children_of(getpid())) {
    if (test::contents("/proc/" + std::to_string(child) + "/cmdline").find("serve-worker") != std::string::npos)
      return child;
  }
  return -1;
}

std::string exchange(int port, const std::string& bytes) {
  const int connection = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (connection < 0) return {};
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  std::string answer;
  if (connect(connection, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 &&
      send(connection, bytes.data(), bytes.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(bytes.size())) {
    std::array<char, 4096> part{};
    for (ssize_t count = 0; (count = recv(connection, part.data(), part.size(), 0)) > 0;) {
      answer.append(part.data(), static_cast<std::size_t>(count));
    }
  }
  close(connection);
  return answer;
}

bool comes_true(const std::function<bool()>& condition) {
  for (int i = 0; i < 3000 && !condition(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  return condition();
}

}  // namespace ambit::server
