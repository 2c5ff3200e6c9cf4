#include "api/files.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <istream>
#include <iterator>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/stoppable_input.h"
#include "parser/parse.h"
#include "trace/open_trace.h"

namespace ambit::api {
namespace {

namespace fs = std::filesystem;

bool is_test(const fs::path& path) {
  constexpr std::array<std::string_view, 3> kExtensions = {".litmus", ".test", ".cu"};
  return std::find(kExtensions.begin(), kExtensions.end(), path.extension()) != kExtensions.end();
}

bool is_wanted(const fs::path& path, FileKinds kinds) {
  return is_test(path) || (kinds == FileKinds::TestsAndTraces && trace::is_trace_name(path.string()));
}

/// Appends all files of a directory and its subdirectories, including unreadable entries.
void add_below(const fs::path& directory, FileKinds kinds, std::vector<std::string>& found) {
  std::error_code error;
  fs::directory_iterator it(directory, error);
  for (const fs::directory_iterator end; !error && it != end; it.increment(error)) {
    // A broken or circular link is not a directory, so it counts as a test that cannot be read.
    std::error_code ignored;
    if (!it->is_directory(ignored)) {
      if (is_wanted(it->path(), kinds)) found.push_back(it->path().string());
    } else if (!it->is_symlink(ignored)) {
      add_below(it->path(), kinds, found);
    }
  }
  if (error) found.push_back(directory.string());
}

/// Returns why a directory cannot be read as a test.
Diagnostic directory_error(const std::string& path, FileKinds kinds) {
  std::error_code error;
  const fs::directory_iterator readable(path, error);
  if (error) return path_error(path, "cannot read the directory: " + error.message());
  std::vector<std::string> below;
  add_below(path, kinds, below);
  if (!below.empty()) return path_error(path, "cannot be read: it is a directory");
  return path_error(path,
                    kinds == FileKinds::Tests
                        ? "no test (.litmus, .test or .cu) in this directory"
                        : "no test (.litmus, .test or .cu) and no trace (.trace, .btrace or .std) in this directory");
}

}  // namespace

Diagnostic path_error(const std::string& path, std::string message) {
  return {std::make_shared<const SourceFile>(SourceFile{path, ""}), {}, std::move(message), ""};
}

std::optional<Diagnostic> names_input_twice(const std::vector<std::string>& paths) {
  if (std::count(paths.begin(), paths.end(), "-") < 2) return std::nullopt;
  return path_error("<stdin>", "the standard input can be read once only");
}

Result<std::vector<std::string>> collect_files(const std::vector<std::string>& paths, FileKinds kinds) {
  if (auto twice = names_input_twice(paths)) return *std::move(twice);
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    std::vector<std::string> below;
    std::error_code ignored;
    if (fs::is_directory(path, ignored)) add_below(path, kinds, below);
    std::sort(below.begin(), below.end());
    if (below.empty()) below = {path};
    files.insert(files.end(), below.begin(), below.end());
  }
  return files;
}

Result<SourceFilePtr> read_results(const std::string& path, const std::atomic<bool>* interrupted) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) return path_error(path, "this is a directory, not a file of results");
  Descriptor input = open_input(path);
  if (!input.is_open()) return path_error(path, "cannot read the file");
  StoppableInput buffer(std::move(input), interrupted);
  std::istream in(&buffer);
  std::string text;
  std::array<char, 65536> piece{};
  do {
    in.read(piece.data(), piece.size());
    const std::string_view read(piece.data(), static_cast<std::size_t>(in.gcount()));
    // The check is inside the loop, because reading a device may never end.
    if (read.find('\0') != std::string_view::npos) return path_error(path, "this is not a text file");
    text += read;
  } while (in);
  if (in.bad()) return path_error(path, "cannot read the file");
  if (interrupted != nullptr && interrupted->load()) return path_error(path, "cannot read the file: interrupted");
  return std::make_shared<const SourceFile>(SourceFile{path, std::move(text)});
}

Result<SourceFilePtr> read_input(const std::string& path, const std::atomic<bool>& interrupted, FileKinds kinds) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) return directory_error(path, kinds);
  if (trace::is_trace_name(path) && fs::exists(path, ignored)) {
    Diagnostic error = path_error(path, "this is a trace, not a test");
    error.hint = "ambit detect and ambit graph read traces";
    return error;
  }
  if (path != "-") return parser::read_source(path, &interrupted);
  Result<SourceFilePtr> read = parser::read_source("/dev/stdin", &interrupted);
  if (!read.ok()) return path_error("<stdin>", read.errors().front().message);
  return std::make_shared<const SourceFile>(SourceFile{"<stdin>", read.value()->text});
}

std::optional<Diagnostic> write_file(const std::string& path, const std::string& text) {
  std::ofstream out(path, std::ios::binary);
  out << text;
  out.close();
  return out ? std::nullopt : std::optional(path_error(path, "cannot write the file"));
}

}  // namespace ambit::api
