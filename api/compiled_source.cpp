#include "api/compiled_source.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <system_error>

#include "api/files.h"
#include "api/program_compiler.h"
#include "base/child_process.h"

namespace ambit::api {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds kCompileTime{300'000};
constexpr std::size_t kMostMessages = std::size_t{1} << 20;

/// A new empty temporary file. The destructor removes the file.
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

/// Returns the first of nvcc's messages that contains an error. If no message contains an error, returns the first
/// line.
std::string first_error(const std::string& messages) {
  std::string first;
  for (std::size_t begin = 0; begin < messages.size();) {
    const std::size_t end = std::min(messages.find('\n', begin), messages.size());
    std::string line = messages.substr(begin, end - begin);
    begin = end + 1;
    if (line.find("error") != std::string::npos) return line;
    if (first.empty()) first = std::move(line);
  }
  return first;
}

ChildResult run_nvcc(const std::string& nvcc, const CompiledSource& source, std::string architecture,
                     const std::string& output, const std::atomic<bool>& interrupted) {
  architecture.replace(0, architecture.find('_'), "compute");
  std::vector<std::string> command = {nvcc, "-ptx", "-arch=" + architecture, "-o", output};
  command.emplace_back(source.optimisation == Optimisation::None ? "-G" : "-lineinfo");
  for (const std::string& define : source.defines) command.push_back("-D" + define);
  command.push_back(source.file);
  const ChildLimits limits{.time = kCompileTime,
                           .memory = std::numeric_limits<std::uint64_t>::max(),
                           .output = kMostMessages,
                           .can_write_files = true};
  return run_child(command, "", limits, {.cancelled = &interrupted}, Errors::Kept);
}

/// Compiles a source with nvcc. The default architecture is sm_90, or sm_90a if the code has instructions of sm_90a.
Result<SourceFilePtr> compile(const CompiledSource& source, const std::atomic<bool>& interrupted) {
  const Result<std::string> nvcc = find_nvcc();
  if (!nvcc.ok()) return path_error(source.file, "nvcc is not installed: give the compiled code with --ptx FILE");
  const TemporaryFile output;
  if (output.path().empty()) return path_error(fs::temp_directory_path(), "cannot make a temporary file");
  const bool is_given = !source.architecture.empty();
  ChildResult child =
      run_nvcc(nvcc.value(), source, is_given ? source.architecture : "sm_90", output.path(), interrupted);
  if (!is_given && child.status != 0 && child.out.find("not supported on .target") != std::string::npos) {
    child = run_nvcc(nvcc.value(), source, "sm_90a", output.path(), interrupted);
  }
  if (child.end != ChildResult::End::Exited) {
    Diagnostic late = path_error(source.file, "nvcc did not end in time");
    late.hint = "raise --timeout, or give the compiled code with --ptx FILE";
    return late;
  }
  if (child.status != 0) {
    return path_error(source.file, fmt::format("{}: {}", kCompilerRejects, first_error(child.out)));
  }
  return read_ptx(output.path(), fs::path(source.file).stem().string() + ".ptx");
}

}  // namespace

Result<SourceFilePtr> compiled_source(const CompiledSource& source, const std::atomic<bool>& interrupted) {
  if (source.ptx.empty()) return compile(source, interrupted);
  const bool is_folder = fs::is_directory(source.ptx);
  const std::string path =
      is_folder ? (fs::path(source.ptx) / fs::path(source.file).stem()).string() + ".ptx" : source.ptx;
  return read_ptx(path, path);
}

}  // namespace ambit::api
