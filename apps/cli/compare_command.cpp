#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "api/files.h"
#include "apps/cli/commands.h"
#include "apps/cli/terminal.h"
#include "report/logs/log_compare.h"

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
  if (!std::filesystem::exists(path, error)) return api::path_error(path, "no such file");
  if (std::filesystem::is_directory(path, error)) return api::path_error(path, "expected a log, found a directory");
  std::ifstream in(path, std::ios::binary);
  if (!in) return api::path_error(path, "cannot read the file");
  return report::read_log(in, path);
}

int run_compare(const CompareCommand& command) {
  if (const auto twice = api::names_input_twice(command.paths)) {
    std::cerr << twice->render();
    return kBadInput;
  }
  std::optional<report::OutcomeLog> first;
  std::vector<report::LogComparison> comparisons;
  std::vector<std::string> errors;
  for (std::size_t i = 0; i < command.paths.size(); ++i) {
    Result<report::OutcomeLog> log = read_log_file(command.paths[i]);
    if (!log.ok()) {
      errors.push_back(render(log.errors()));
      std::cerr << errors.back();
      continue;
    }
    for (const std::string& warning : log.value().warnings) std::cerr << "warning: " << warning << "\n";
    // Compares each further log with the first log. Keeps only the first log in memory. If the first log is unreadable,
    // compares nothing.
    if (first) comparisons.push_back(report::compare_logs(*first, log.value()));
    if (i == 0) first = std::move(log).value();
  }
  const report::Style style = output_style();
  for (const report::LogComparison& comparison : comparisons) {
    if (command.json) continue;
    if (&comparison != &comparisons.front()) std::cout << "\n";
    std::cout << fitted(report::comparison_text(comparison, style, command.quiet));
  }
  if (command.json) std::cout << report::comparisons_json(AMBIT_VERSION, comparisons, errors);
  std::cout.flush();
  const auto all = [&](auto holds) { return std::all_of(comparisons.begin(), comparisons.end(), holds); };
  if (!errors.empty()) return kBadInput;
  if (!all([](const auto& comparison) { return comparison.none_different(); })) return kFailed;
  return all([](const auto& comparison) { return comparison.all_same(); }) ? kOk : kUnknown;
}

}  // namespace

Action declare_compare(Command command) {
  const auto options = std::make_shared<CompareCommand>();
  command
      .argument("LOGS", options->paths,
                "Logs of ambit check --format herd, herd7 or litmus7, or - for the standard input. Each log is "
                "compared with the first")
      .required()
      .at_least(2)
      .shown_as("LOG LOG...");
  command.flag("--json", options->json, "Print one JSON document (docs/reference/logs.md)");
  command.flag("-q,--quiet", options->quiet, "Print only differences");
  return [options] { return run_compare(*options); };
}

}  // namespace ambit::cli
