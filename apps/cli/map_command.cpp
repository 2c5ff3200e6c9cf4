#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <system_error>

#include "api/files.h"
#include "apps/cli/commands.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/options.h"
#include "apps/cli/remarks.h"
#include "parser/parse.h"
#include "ptx/printer.h"

namespace ambit::cli {
namespace {

struct MapCommand {
  std::vector<std::string> paths;
  unsigned max_threads = 1024;
  std::string folder;
};

/// Converts a test's name into a file name.
std::string file_name(std::string name) {
  std::replace(name.begin(), name.end(), '/', '_');
  return name + ".litmus";
}

class Mapper {
 public:
  Mapper(const MapCommand& command, const std::vector<std::string>& inputs) : command_(command), inputs_(inputs) {}

  void map(const std::string& file) {
    const Result<SourceFilePtr> source = api::read_input(file, interrupt_flag());
    if (!source.ok()) return report(source.errors());
    parser::ProgramOptions options;
    options.max_threads = command_.max_threads;
    const auto programs = parser::parse_programs(source.value(), options);
    if (!programs.ok()) return report(programs.errors());
    for (const auto& program : programs.value()) {
      print_remarks(*program);
      const Result<std::string> text = ptx::ptx_text(*program);
      if (text.ok()) {
        put(file, program->name, text.value());
      } else {
        report(text.errors());
      }
    }
  }

  int exit_code() const { return exit_code_; }

 private:
  void report(const Diagnostics& errors) {
    std::cerr << render(errors);
    exit_code_ = kBadInput;
  }

  void put(const std::string& file, const std::string& name, const std::string& text) {
    if (command_.folder.empty()) {
      std::cout << (any_ ? "\n" : "") << text;
      any_ = true;
      return;
    }
    const std::string path = (std::filesystem::path(command_.folder) / file_name(name)).string();
    const auto [other, fresh] = written_.emplace(path, file);
    if (!fresh) {
      return report({api::path_error(file, fmt::format("the test '{}' would overwrite the test of {} in {}", name,
                                                       other->second, command_.folder))});
    }
    if (is_input(path)) {
      return report({api::path_error(
          path, fmt::format("is an input file: the test '{}' would overwrite it; choose another folder", name))});
    }
    std::ofstream out(path);
    out << text;
    out.close();
    if (!out) report({api::path_error(path, "cannot write the file")});
  }

  bool is_input(const std::string& path) const {
    std::error_code ignored;
    return std::any_of(inputs_.begin(), inputs_.end(),
                       [&](const std::string& input) { return std::filesystem::equivalent(path, input, ignored); });
  }

  const MapCommand& command_;
  const std::vector<std::string>& inputs_;
  std::map<std::string, std::string> written_;  ///< for each written path, the file that contains the test
  bool any_ = false;
  int exit_code_ = kOk;
};

int run_map(const MapCommand& command) {
  const Result<std::vector<std::string>> files = api::collect_files(command.paths);
  if (!files.ok()) {
    std::cerr << render(files.errors());
    return kBadInput;
  }
  Mapper mapper(command, files.value());
  for (const std::string& file : files.value()) mapper.map(file);
  std::cout.flush();
  return mapper.exit_code();
}

}  // namespace

Action declare_map(Command command) {
  const auto options = std::make_shared<MapCommand>();
  command.argument("FILES", options->paths, "Tests, folders of tests, or - for the standard input")
      .required()
      .shown_as("FILES|DIRS");
  command.option("-o,--output", options->folder, "Write each test to a file in this folder, named after the test")
      .value_name("DIR")
      .check(folder_can_be_made);
  command.option("--max-threads", options->max_threads, "Maximum number of threads with events in a test")
      .value_name("N")
      .range(1, 4096)
      .show_default();
  return [options] { return run_map(*options); };
}

}  // namespace ambit::cli
