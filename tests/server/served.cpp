#include "tests/server/served.h"
#include "tests/support/files.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <fstream>
#include <functional>
#include <iterator>
#include <sstream>
#include <utility>
#include <vector>

namespace ambit::serving {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), {}};
}

/// Returns the port in the address that the server prints on its first line.
int port_in(int descriptor) {
  std::string line;
  for (char letter = 0; read(descriptor, &letter, 1) == 1 && letter != '\n';) line += letter;
  const std::size_t colon = line.rfind(':');
  return colon == std::string::npos ? 0 : std::atoi(line.c_str() + colon + 1);
}

/// Returns the resident memory of a process in bytes.
std::uint64_t memory_of(pid_t process) {
  std::ifstream in(fmt::format("/proc/{}/statm", process));
  std::uint64_t all = 0;
  std::uint64_t resident = 0;
  in >> all >> resident;
  return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

/// Returns the processor time of a process in seconds, including its children that it has waited for.
double processor_time_of(pid_t process) {
  const std::string text = test::contents(fmt::format("/proc/{}/stat", process));
  const std::vector<std::string> words = words_of(text.substr(std::min(text.size(), text.rfind(')') + 1)));
  constexpr std::size_t kFirst = 11;  // utime, stime, cutime, cstime after the name (proc(5))
  double ticks = 0;
  for (std::size_t i = kFirst; i < kFirst + 4 && i < words.size(); ++i) ticks += std::stod(words[i]);
  return ticks / static_cast<double>(sysconf(_SC_CLK_TCK));
}

[[noreturn]] void become(const std::string& ambit, const std::string& arguments, const fs::path& folder, int out) {
  std::vector<std::string> words{ambit, "serve", "--port", "0"};
  for (std::string& word : words_of(arguments)) words.push_back(std::move(word));
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  if (chdir(folder.c_str()) != 0) _exit(1);
  dup2(out, STDOUT_FILENO);
  execv(ambit.c_str(), argv.data());
  _exit(1);
}

}  // namespace

std::vector<pid_t> children_of(pid_t process) {
  std::vector<pid_t> children;
  std::error_code gone;
  for (const auto& task : fs::directory_iterator(fmt::format("/proc/{}/task", process), gone)) {
    std::ifstream in(task.path() / "children");
    children.insert(children.end(), std::istream_iterator<pid_t>(in), {});
  }
  return children;
}

pid_t worker_of(pid_t server) {
  for (const pid_t child : children_of(server)) {
    if (test::contents(fmt::format("/proc/{}/cmdline", child)).find("serve-worker") != std::string::npos) return child;
  }
  return -1;
}

Served::Served(const std::string& ambit, const std::string& arguments)
    : path_(fs::temp_directory_path() / fmt::format("ambit-served-{}", getpid())) {
  fs::create_directories(path_ / "inside");
  std::ofstream(path_ / "secret.txt") << "root: nobody may see this\n";
  std::ofstream(path_ / "inside" / "test.litmus") << "CUDA mine\n";
  std::array<int, 2> pipe{};
  if (pipe2(pipe.data(), O_CLOEXEC) != 0) return;
  process_ = fork();
  if (process_ == 0) become(fs::absolute(ambit).string(), arguments, path_, pipe[1]);
  close(pipe[1]);
  port_ = port_in(pipe[0]);
  close(pipe[0]);
}

Served::~Served() {
  if (process_ > 0) {
    kill(process_, SIGTERM);
    waitpid(process_, nullptr, 0);
  }
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

bool Served::is_running() {
  if (process_ <= 0 || port_ == 0) return false;
  if (waitpid(process_, nullptr, WNOHANG) == 0) return true;
  process_ = -1;
  return false;
}

std::uint64_t Served::memory() const { return memory_of(process_); }

std::uint64_t Served::worker_memory() const { return memory_of(worker_of(process_)); }

double Served::processor_time() const { return processor_time_of(process_) + processor_time_of(worker_of(process_)); }

std::size_t Served::descriptors() const {
  std::error_code ignored;
  const fs::directory_iterator all(fmt::format("/proc/{}/fd", process_), ignored);
  return static_cast<std::size_t>(std::distance(all, {}));
}

std::uint64_t Served::folder() const {
  std::vector<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(path_)) {
    files.push_back(entry.path().string() + "\n" + (entry.is_regular_file() ? test::contents(entry.path()) : ""));
  }
  std::sort(files.begin(), files.end());
  std::string all;
  for (const std::string& file : files) all += file;
  return std::hash<std::string>{}(all);
}

Connection::Connection(int port) : socket_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) return;
  close(socket_);
  socket_ = -1;
}

Connection::Connection(Connection&& other) noexcept
    : socket_(std::exchange(other.socket_, -1)), buffer_(std::move(other.buffer_)) {}

Connection::~Connection() {
  if (socket_ >= 0) close(socket_);
}

void Connection::send(const std::string& bytes) {
  for (std::size_t sent = 0; sent < bytes.size();) {
    pollfd ready{socket_, POLLOUT, 0};
    if (socket_ < 0 || poll(&ready, 1, 10000) <= 0) return;
    const ssize_t count = ::send(socket_, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count <= 0) return;
    sent += static_cast<std::size_t>(count);
  }
}

void Connection::finish() {
  if (socket_ >= 0) shutdown(socket_, SHUT_WR);
}

bool Connection::fill(int seconds) {
  pollfd ready{socket_, POLLIN, 0};
  if (socket_ < 0 || poll(&ready, 1, seconds * 1000) <= 0) return false;
  std::array<char, 65536> bytes{};
  const ssize_t count = recv(socket_, bytes.data(), bytes.size(), 0);
  if (count <= 0) return false;
  buffer_.append(bytes.data(), static_cast<std::size_t>(count));
  return true;
}

std::string Connection::receive(int seconds) {
  while (fill(seconds)) {}
  return std::exchange(buffer_, {});
}

std::optional<std::string> Connection::response(int seconds) {
  while (true) {
    const std::size_t head = buffer_.find("\r\n\r\n");
    const std::size_t length = buffer_.find("Content-Length: ");
    if (head != std::string::npos) {
      const std::size_t body = length < head ? std::strtoull(buffer_.c_str() + length + 16, nullptr, 10) : 0;
      const std::size_t end = head + 4 + body;
      if (buffer_.size() >= end) {
        std::string response = buffer_.substr(0, end);
        buffer_.erase(0, end);
        return response;
      }
    }
    if (!fill(seconds)) return std::nullopt;
  }
}

std::string post(const std::string& body) {
  return fmt::format(
      "POST /api HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{}",
      body.size(), body);
}

int status_of(const std::string& response) {
  return response.starts_with("HTTP/1.1 ") ? std::atoi(response.c_str() + 9) : 0;
}

}  // namespace ambit::serving
