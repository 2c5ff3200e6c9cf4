// Writes litmus/classic, or checks that its files equal the generated files.
//   ambit_generate DIR             write every file
//   ambit_generate --check DIR     name files that differ, are missing or are not generated; exit 1 if any
//   ambit_generate --families DIR  write the tests of generate/families.h, which are not in litmus/
//   ambit_generate --gpu-families DIR  write the tests on two GPUs

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "generate/families.h"
#include "generate/variants.h"

namespace {

namespace fs = std::filesystem;

std::map<std::string, std::string> files_of(const std::vector<ambit::generate::GeneratedTest>& tests) {
  std::map<std::string, std::string> files;
  for (const auto& test : tests) files[test.name + ".litmus"] = print(test);
  return files;
}

std::string content(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

int write(const std::map<std::string, std::string>& files, const fs::path& directory) {
  fs::create_directories(directory);
  for (const auto& [name, text] : files) {
    std::ofstream out(directory / name, std::ios::binary);
    out << text;
    if (!out.flush()) {
      fmt::print(stderr, "cannot write {}\n", (directory / name).string());
      return 2;
    }
  }
  fmt::print("{} files\n", files.size());
  return 0;
}

int check(const std::map<std::string, std::string>& files, const fs::path& directory) {
  int differences = 0;
  for (const auto& [name, text] : files) {
    if (content(directory / name) == text) continue;
    fmt::print("{}: missing, or not what the generator writes\n", name);
    ++differences;
  }
  for (const auto& entry : fs::directory_iterator(directory)) {
    const std::string name = entry.path().filename().string();
    if (entry.path().extension() != ".litmus" || files.contains(name)) continue;
    fmt::print("{}: not generated\n", name);
    ++differences;
  }
  fmt::print("{} files, {} differences\n", files.size(), differences);
  return differences == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string option = argc == 3 ? argv[1] : "";
  if (option == "--families") return write(files_of(ambit::generate::family_tests()), argv[2]);
  if (option == "--gpu-families") return write(files_of(ambit::generate::gpu_family_tests()), argv[2]);
  const bool checking = option == "--check";
  if (argc != 2 && !checking) {
    fmt::print(stderr, "usage: ambit_generate [--check | --families | --gpu-families] DIR\n");
    return 2;
  }
  const auto files = files_of(ambit::generate::all_tests());
  return checking ? check(files, argv[2]) : write(files, argv[1]);
}
