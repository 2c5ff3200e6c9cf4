#include "runner/cuda/disassembler.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <sstream>
#include <utility>
#include <vector>

namespace ambit::cuda {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> places() {
  if (const char* chosen = std::getenv("AMBIT_NVDISASM")) return {chosen};
  std::vector<std::string> found;
  if (const char* path = std::getenv("PATH")) {
    std::istringstream folders(path);
    for (std::string folder; std::getline(folders, folder, ':');) found.push_back(folder + "/nvdisasm");
  }
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
    if (const char* home = std::getenv(variable)) found.push_back(fmt::format("{}/bin/nvdisasm", home));
  }
  found.emplace_back("/usr/local/cuda/bin/nvdisasm");
  return found;
}

/// A word for the shell.
std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

Diagnostic failure(std::string message) { return {nullptr, {}, std::move(message), ""}; }

/// A file that goes when it is done with.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& content) : path_((fs::temp_directory_path() / "ambit-XXXXXX").string()) {
    const int file = mkstemp(path_.data());
    if (file < 0) return;
    const ssize_t wrote = write(file, content.data(), content.size());
    is_whole_ = close(file) == 0 && wrote == static_cast<ssize_t>(content.size());
  }
  ~TemporaryFile() { std::remove(path_.c_str()); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  const std::string& path() const { return path_; }
  bool is_whole() const { return is_whole_; }

 private:
  std::string path_;
  bool is_whole_ = false;
};

}  // namespace

Result<Disassembler> Disassembler::find() {
  for (const std::string& path : places()) {
    if (access(path.c_str(), X_OK) == 0) return Disassembler(path);
  }
  return Diagnostic{nullptr,
                    {},
                    "nvdisasm, NVIDIA's disassembler, was not found",
                    "install it (cuda-nvdisasm of the CUDA toolkit) or give its path in AMBIT_NVDISASM"};
}

Result<std::string> Disassembler::list(const std::string& cubin) const {
  const TemporaryFile file(cubin);
  if (!file.is_whole()) return failure("cannot write a temporary file for the disassembler");
  const std::string command = fmt::format("{} -c -gi {} 2>&1", quoted(path_), quoted(file.path()));
  const auto closed = [](FILE* pipe) { pclose(pipe); };
  std::unique_ptr<FILE, decltype(closed)> pipe(popen(command.c_str(), "r"), closed);  // NOLINT(cert-env33-c)
  if (!pipe) return failure(fmt::format("cannot run {}", path_));
  std::string text;
  std::array<char, 65536> piece{};
  for (std::size_t got = 0; (got = fread(piece.data(), 1, piece.size(), pipe.get())) > 0;)
    text.append(piece.data(), got);
  if (const int status = pclose(pipe.release()); status != 0) {
    return failure(fmt::format("{} failed: {}", path_, text.substr(0, text.find('\n'))));
  }
  return text;
}

}  // namespace ambit::cuda
