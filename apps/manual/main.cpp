#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <string_view>

#include "apps/cli/command_table.h"
#include "apps/manual/completion.h"
#include "apps/manual/description.h"
#include "apps/manual/man_page.h"
#include "detector/algorithms/registry.h"
#include "detector/detector.h"
#include "model/rules/shipped.h"

/// Writes the manual pages and the shell completions of `ambit` into the folder that the command line names.
namespace {

namespace fs = std::filesystem;
using namespace ambit;

manual::KnownNames known_names() {
  manual::KnownNames names;
  for (const std::string_view model : rules::shipped_models()) names.models.emplace_back(model);
  for (const detector::DetectorDescription& one : detector::detectors()) names.detectors.emplace_back(one.name);
  names.detectors.emplace_back("all");
  return names;
}

bool write(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  std::ofstream out(file, std::ios::binary);
  out << text << std::flush;
  if (!out) std::cerr << "error: cannot write " << file.string() << "\n";
  return out.good();
}

bool write_all(const fs::path& folder) {
  const manual::Command program = manual::describe(cli::declare_program().program(), known_names());
  bool is_written = true;
  for (const manual::ManPage& page : manual::man_pages(program, AMBIT_VERSION)) {
    is_written = write(folder / "man" / page.file, page.text) && is_written;
  }
  is_written = write(folder / "bash" / "ambit", manual::bash_completion(program)) && is_written;
  is_written = write(folder / "zsh" / "_ambit", manual::zsh_completion(program)) && is_written;
  return write(folder / "fish" / "ambit.fish", manual::fish_completion(program)) && is_written;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: ambit_manual FOLDER\n";
    return 2;
  }
  try {
    return write_all(argv[1]) ? 0 : 2;
  } catch (const std::exception& error) {
    std::cerr << "error: " << error.what() << "\n";
    return 2;
  }
}
