#include "cli/graphviz.h"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <vector>

extern char** environ;  // NOLINT(readability-redundant-declaration): POSIX asks for it

namespace ambit::cli {
namespace {

/// A file that is gone when this is.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& text) {
    path_ = (std::filesystem::temp_directory_path() / "ambit-XXXXXX").string();
    const int file = mkstemp(path_.data());
    if (file < 0) {
      path_.clear();
      return;
    }
    close(file);
    std::ofstream(path_, std::ios::binary) << text;
  }
  ~TemporaryFile() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove(path_, ignored);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace

std::optional<std::string> draw(const std::string& dot, const std::string& format, const std::string& path) {
  const TemporaryFile input(dot);
  if (input.path().empty()) return "cannot make a temporary file";
  std::vector<std::string> words = {
      "neato", "-n2", "-q",        "-T" + format, "-Gdpi=" + std::string(format == "png" ? "144" : "72"),
      "-o",    path,  input.path()};
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t child = 0;
  const int error = posix_spawnp(&child, "neato", nullptr, nullptr, arguments.data(), environ);
  if (error == ENOENT || error == EACCES) {
    return "Graphviz' program 'neato' is not installed (package graphviz); a .dot file needs no program";
  }
  if (error != 0) return fmt::format("cannot start 'neato': {}", std::strerror(error));
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
  std::error_code ignored;
  const bool good = WIFEXITED(status) && WEXITSTATUS(status) == 0 && std::filesystem::exists(path, ignored);
  return good ? std::nullopt : std::optional<std::string>("'neato' could not draw the picture");
}

}  // namespace ambit::cli
