#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace ambit::test {

/// Returns the root folder of the project.
inline std::filesystem::path project() { return AMBIT_SOURCE_DIR; }

/// Returns the bytes of a file; "" if the file cannot be read.
inline std::string contents(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Returns the files in `folder` and in its subfolders that have one of the given extensions, sorted by path. By
/// default, returns files with the extensions of tests.
inline std::vector<std::filesystem::path> files_in(const std::filesystem::path& folder,
                                                   std::initializer_list<std::string_view> extensions = {
                                                       ".litmus", ".test", ".cu"}) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    const std::string extension = entry.path().extension().string();
    if (std::ranges::find(extensions, extension) != extensions.end()) files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

}  // namespace ambit::test
