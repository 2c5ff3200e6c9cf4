#include "api/compiled_source.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <system_error>

#include "api/files.h"
#include "core/child_process.h"

namespace ambit::api {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds kCompileTime{300'000};
constexpr std::size_t kMostMessages = std::size_t{1} << 20;

/// A new empty file, removed at the end.
class TemporaryFile {
 public:
  TemporaryFile() {
    std::string name = (fs::temp_directory_path() / "ambit-XXXXXX.ptx").string();
    const int descriptor = mkstemps(name.data(), 4);
    if (descriptor < 0) return;
    close(descriptor);
    path_ = std::move(name);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove(path_, ignored);
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

Result<SourceFilePtr> read_ptx(const std::string& path, const std::string& name) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return path_error(path, "cannot be read");
  SourceFile file{name, {std::istreambuf_iterator<char>(in), {}}};
  return std::make_shared<const SourceFile>(std::move(file));
}

Result<SourceFilePtr> compile(const std::string& file, const std::vector<std::string>& defines,
                              const std::atomic<bool>& interrupted) {
  const std::optional<std::string> nvcc = find_in_path("nvcc");
  if (!nvcc) return path_error(file, "nvcc is not installed: give the compiled code with --ptx FILE");
  const TemporaryFile output;
  if (output.path().empty()) return path_error(fs::temp_directory_path(), "cannot make a temporary file");
  std::vector<std::string> command = {*nvcc, "-ptx", "-lineinfo", "-arch=compute_90", "-o", output.path()};
  for (const std::string& define : defines) command.push_back("-D" + define);
  command.push_back(file);
  const ChildLimits limits{.time = kCompileTime,
                           .memory = std::numeric_limits<std::uint64_t>::max(),
                           .output = kMostMessages,
                           .can_write_files = true};
  const ChildResult child = run_child(command, "", limits, {.cancelled = &interrupted}, Errors::Kept);
  if (child.end != ChildResult::End::Exited) return path_error(file, "nvcc did not end");
  if (child.status != 0) {
    const std::string first = child.out.substr(0, child.out.find('\n'));
    return path_error(file, fmt::format("nvcc cannot compile it: {}", first));
  }
  return read_ptx(output.path(), fs::path(file).stem().string() + ".ptx");
}

}  // namespace

Result<SourceFilePtr> compiled_source(const std::string& file, const std::string& ptx,
                                      const std::vector<std::string>& defines, const std::atomic<bool>& interrupted) {
  if (ptx.empty()) return compile(file, defines, interrupted);
  const bool is_folder = fs::is_directory(ptx);
  const std::string path = is_folder ? (fs::path(ptx) / fs::path(file).stem()).string() + ".ptx" : ptx;
  return read_ptx(path, path);
}

}  // namespace ambit::api
