#include "cli/compare.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "cli/exit_code.h"
#include "cli/files.h"
#include "cli/progress.h"
#include "report/log_compare.h"

namespace ambit::cli {
namespace {

struct CompareCommand {
  std::vector<std::string> paths;
  bool json = false;
  bool quiet = false;
};

Result<report::OutcomeLog> read_log_file(const std::string& path) {
  if (path == "-") return report::read_log(std::cin, "<stdin>");
  std::error_code error;
  if (!std::filesystem::exists(path, error)) return path_error(path, "no such file");
  if (std::filesystem::is_directory(path, error)) return path_error(path, "this is a directory, not a log");
  std::ifstream in(path, std::ios::binary);
  if (!in) return path_error(path, "cannot read the file");
  return report::read_log(in, path);
}

int run_compare(const CompareCommand& command) {
  if (std::count(command.paths.begin(), command.paths.end(), "-") > 1) {
    std::cerr << path_error("<stdin>", "the standard input can be read once only").render();
    return kBadInput;
  }
  std::optional<report::OutcomeLog> first;
  std::vector<report::LogComparison> comparisons;
  bool good = true;
  for (const std::string& path : command.paths) {
    Result<report::OutcomeLog> log = read_log_file(path);
    if (!log.ok()) {
      std::cerr << render(log.errors());
      good = false;
      continue;
    }
    for (const std::string& warning : log.value().warnings) std::cerr << "warning: " << warning << "\n";
    // Only the first log is kept; of the others what was found out.
    if (first) comparisons.push_back(report::compare_logs(*first, log.value()));
    if (!first) first = std::move(log).value();
  }
  if (!good) return kBadInput;
  report::Style style;
  style.color = wants_color();
  bool same = true;
  for (const report::LogComparison& comparison : comparisons) {
    same = same && comparison.all_same();
    if (command.json) continue;
    if (&comparison != &comparisons.front()) std::cout << "\n";
    std::cout << report::comparison_text(comparison, style, command.quiet);
  }
  if (command.json) std::cout << report::comparisons_json(AMBIT_VERSION, comparisons);
  std::cout.flush();
  return same ? kOk : kFailed;
}

}  // namespace

void add_compare(CLI::App& app, int& exit_code) {
  CLI::App* command = add_command(app, "compare", "Compare the outcomes in logs of models and machines");
  const auto options = std::make_shared<CompareCommand>();
  command
      ->add_option("LOGS", options->paths,
                   "Logs of ambit check --format herd, herd7 or litmus7, or - for the standard input: each is compared "
                   "with the first")
      ->required()
      ->expected(2, -1)
      ->option_text("LOG LOG...");
  command->add_flag("--json", options->json, "Print one JSON document (docs/logs.md)");
  command->add_flag("-q,--quiet", options->quiet, "Leave out what is the same");
  command->callback([options, &exit_code] { exit_code = run_compare(*options); });
}

}  // namespace ambit::cli
