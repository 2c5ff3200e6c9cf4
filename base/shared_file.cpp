#include "base/shared_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <random>

#include "base/descriptor.h"

namespace ambit {
namespace {

/// Returns a new name for a temporary file in the folder of `path`. Some file systems (BeeGFS) can link and rename
/// atomically only within one folder. Readers of the folder ignore names that begin with a dot.
std::string temporary_name(const std::string& path) {
  const std::size_t begin = path.rfind('/') + 1;  // 0 if the path has no '/'
  return path.substr(0, begin) + ".part-" + unique_process_name();
}

/// Writes a temporary file next to `path` and stores it on the disk. Returns the file's name; empty on an error.
std::string write_temporary(const std::string& path, std::string_view text) {
  const std::string name = temporary_name(path);
  const Descriptor file(open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  if (!file.is_open()) return {};
  if (write_all(file.number(), text) && fsync(file.number()) == 0) return name;
  const int why = errno;
  unlink(name.c_str());
  errno = why;
  return {};
}

/// Returns whether two names denote one file.
bool is_same_file(const std::string& a, const std::string& b) {
  struct stat first = {};
  struct stat second = {};
  return stat(a.c_str(), &first) == 0 && stat(b.c_str(), &second) == 0 && first.st_ino == second.st_ino &&
         first.st_dev == second.st_dev;
}

}  // namespace

Publication publish_file(const std::string& path, std::string_view text) {
  const std::string temporary = write_temporary(path, text);
  if (temporary.empty()) return Publication::Failed;
  Publication result = Publication::Done;
  if (link(temporary.c_str(), path.c_str()) != 0) {
    const int why = errno;
    // NFS may repeat the request; the repetition fails if the first request made the link (see move_file()).
    const bool is_ours = why == EEXIST && is_same_file(temporary, path);
    if (!is_ours) result = why == EEXIST ? Publication::Existed : Publication::Failed;
    errno = why;
  }
  const int why = errno;
  unlink(temporary.c_str());
  errno = why;
  return result;
}

bool replace_file(const std::string& path, std::string_view text) {
  const std::string temporary = write_temporary(path, text);
  if (temporary.empty()) return false;
  if (move_file(temporary, path)) return true;
  const int why = errno;
  unlink(temporary.c_str());
  errno = why;
  return false;
}

bool move_file(const std::string& from, const std::string& to) {
  return std::rename(from.c_str(), to.c_str()) == 0 || (errno == ENOENT && access(to.c_str(), F_OK) == 0);
}

std::optional<std::string> read_bytes(const std::string& path) {
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.is_open()) return std::nullopt;
  std::string text;
  std::array<char, 65536> piece{};
  while (true) {
    const ssize_t got = read(file.number(), piece.data(), piece.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return std::nullopt;
    if (got == 0) return text;
    text.append(piece.data(), static_cast<std::size_t>(got));
  }
}

std::string unique_process_name() {
  constexpr std::size_t kLongestHost = 40;
  std::array<char, 256> host{};
  gethostname(host.data(), host.size() - 1);
  std::string name = std::string(host.data()).substr(0, kLongestHost);
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '-';
  }
  std::random_device random;
  return fmt::format("{}-{}-{:08x}{:08x}", name, getpid(), random(), random());
}

}  // namespace ambit
