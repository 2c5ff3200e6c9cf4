#include <chrono>
#include <iostream>
#include <memory>
#include <optional>

#include "api/study/scoreboard.h"
#include "apps/cli/commands.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/options.h"
#include "apps/cli/progress.h"
#include "apps/cli/terminal.h"
#include "apps/cli/validation_runs.h"
#include "report/json/json.h"
#include "report/text/scoreboard_text.h"

namespace ambit::cli {
namespace {

struct ScoreboardCommand {
  api::ScoreboardRequest request;
  ValidationRuns runs;
  bool json = false;
  bool quiet = false;
};

int run_scoreboard(ScoreboardCommand command) {
  const std::atomic<bool>& interrupted = catch_interrupts();
  command.runs.choose();
  api::ScoreboardRequest& request = command.request;
  request.selection.external->timeout = std::chrono::seconds(command.runs.timeout);
  request.validation.runs = command.runs.options;
  request.validation.timeout = std::chrono::seconds(command.runs.timeout);
  request.validation.threads = command.runs.jobs;
  std::optional<Progress> progress;
  std::size_t shown = 0;  // the total that `progress` shows
  request.waiting = [&](std::size_t done, std::size_t all, const std::string& what) {
    if (!progress || shown != all) progress.emplace(Progress::mode_of(command.quiet), shown = all);
    progress->show(done, what);
  };
  const auto made = api::make_scoreboard(request, interrupted);
  progress.reset();
  if (!made.ok()) return bad_input(made.errors());
  const api::ScoreboardResult& result = made.value();
  for (const std::string& error : result.errors) std::cerr << error;
  for (const std::string& note : result.notes) std::cerr << note << "\n";
  std::cout << (command.json ? report::scoreboard_json(result.board, AMBIT_VERSION)
                             : fitted(report::scoreboard_text(result.board)))
            << std::flush;
  if (!result.errors.empty()) return kBadInput;
  return result.is_complete ? kOk : kUnknown;
}

}  // namespace

Action declare_scoreboard(Command command) {
  const auto options = std::make_shared<ScoreboardCommand>();
  command
      .argument("SUITE", options->request.suites,
                "Suites: folders of labelled tests. Each suite becomes a column of the page")
      .required()
      .shown_as("SUITE...");
  command
      .option("--html", options->request.folder,
              "Write the page into this folder, and the answers about each suite into a subfolder")
      .value_name("DIR")
      .check(folder_can_be_made)
      .required();
  add_external_detector_options(command, options->request.selection);
  command
      .option("--results", options->request.selection.results,
              "Also score a detector's answers in this file; can be repeated")
      .value_name("[NAME=]FILE")
      .one_value_each();
  command
      .option("--tool-log", options->request.tool_logs,
              "Also score the tool whose answers are in this log of validate --tool --log; can be repeated")
      .value_name("FILE")
      .one_value_each();
  declare_validation_runs(command, options->runs);
  command.flag("--json", options->json, "Print one JSON document (docs/reference/scoreboard.md) instead of the table");
  command.flag("-q,--quiet", options->quiet, "Print no progress");
  return [options] { return run_scoreboard(*options); };
}

}  // namespace ambit::cli
