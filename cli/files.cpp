#include "cli/files.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>
#include <system_error>
#include <utility>

#include "parser/parse.h"

namespace ambit::cli {
namespace {

namespace fs = std::filesystem;

bool is_test(const fs::path& path) {
  constexpr std::array<std::string_view, 3> kExtensions = {".litmus", ".test", ".cu"};
  return std::find(kExtensions.begin(), kExtensions.end(), path.extension()) != kExtensions.end();
}

Result<std::vector<std::string>> files_below(const std::string& directory) {
  std::error_code error;
  std::vector<std::string> found;
  fs::recursive_directory_iterator it(directory, error);
  for (const fs::recursive_directory_iterator end; !error && it != end; it.increment(error)) {
    if (is_test(it->path()) && it->is_regular_file()) found.push_back(it->path().string());
  }
  if (error) return path_error(directory, "cannot read the directory: " + error.message());
  if (found.empty()) return path_error(directory, "no test (.litmus, .test or .cu) in this directory");
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace

Diagnostic path_error(const std::string& path, std::string message) {
  return {std::make_shared<const SourceFile>(SourceFile{path, ""}), {}, std::move(message), ""};
}

Result<std::vector<std::string>> collect_files(const std::vector<std::string>& paths) {
  std::vector<std::string> files;
  Diagnostics errors;
  for (const std::string& path : paths) {
    std::error_code error;
    if (fs::is_directory(path, error)) {
      const Result<std::vector<std::string>> below = files_below(path);
      if (below.ok()) {
        files.insert(files.end(), below.value().begin(), below.value().end());
      } else {
        errors.insert(errors.end(), below.errors().begin(), below.errors().end());
      }
    } else if (path == "-" || fs::exists(path, error)) {
      files.push_back(path);
    } else {
      errors.push_back(path_error(path, "no such file or directory"));
    }
  }
  if (!errors.empty()) return errors;
  return files;
}

Result<SourceFilePtr> read_results(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  std::error_code error;
  if (!in || fs::is_directory(path, error)) return path_error(path, "cannot read the file");
  if (text.find('\0') != std::string::npos) return path_error(path, "this is no text");
  return std::make_shared<const SourceFile>(SourceFile{path, std::move(text)});
}

Result<SourceFilePtr> read_input(const std::string& path) {
  if (path != "-") return parser::read_source(path);
  Result<SourceFilePtr> read = parser::read_source("/dev/stdin");
  if (!read.ok()) return path_error("<stdin>", read.errors().front().message);
  return std::make_shared<const SourceFile>(SourceFile{"<stdin>", read.value()->text});
}

}  // namespace ambit::cli
