#include "runner/cuda/launch/disassembler.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <utility>
#include <vector>

#include "base/child_process.h"

namespace ambit::cuda {
namespace {

namespace fs = std::filesystem;

constexpr ChildLimits kLimits{.time = std::chrono::minutes(1),
                              .memory = std::uint64_t{8} << 30U,
                              .output = std::size_t{256} << 20U,
                              .can_write_files = true};

std::vector<std::string> disassembler_places() {
  if (const char* chosen = std::getenv("AMBIT_NVDISASM")) return {chosen};
  std::vector<std::string> found;
  if (auto path = find_in_path("nvdisasm")) found.push_back(*std::move(path));
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
    if (const char* home = std::getenv(variable)) found.push_back(fmt::format("{}/bin/nvdisasm", home));
  }
  found.emplace_back("/usr/local/cuda/bin/nvdisasm");
  return found;
}

/// A file that the destructor removes.
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
  for (const std::string& path : disassembler_places()) {
    if (access(path.c_str(), X_OK) == 0) return Disassembler(path);
  }
  return Diagnostic{nullptr,
                    {},
                    "nvdisasm, NVIDIA's disassembler, was not found",
                    "install it (cuda-nvdisasm of the CUDA toolkit) or give its path in AMBIT_NVDISASM"};
}

Result<std::string> Disassembler::list(const std::string& cubin) const {
  const TemporaryFile file(cubin);
  if (!file.is_whole()) return error_without_place("cannot write a temporary file for the disassembler");
  const ChildResult child = run_child({path_, "-c", "-gi", file.path()}, "", kLimits, {}, Errors::Kept);
  if (child.end == ChildResult::End::NotStarted) return error_without_place(fmt::format("cannot run {}", path_));
  if (child.end == ChildResult::End::TimedOut)
    return error_without_place(fmt::format("{} took too long and was stopped", path_));
  if (child.end != ChildResult::End::Exited || child.status != 0) {
    return error_without_place(fmt::format("{} failed: {}", path_, child.out.substr(0, child.out.find('\n'))));
  }
  return child.out;
}

}  // namespace ambit::cuda
