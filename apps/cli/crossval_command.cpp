#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <memory>
#include <optional>

#include "api/hardware/crossval.h"
#include "apps/cli/backend.h"
#include "apps/cli/commands.h"
#include "apps/cli/hardware_options.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/options.h"
#include "apps/cli/progress.h"
#include "apps/cli/site_writer.h"
#include "apps/cli/terminal.h"
#include "report/html/pages.h"
#include "report/json/json.h"
#include "report/text/result_texts.h"

namespace ambit::cli {
namespace {

struct CrossvalCommand {
  api::CrossvalRequest request;
  std::string html;  ///< folder for pages; may be empty
  bool json = false;
};

int fail(const std::string& error) {
  std::cerr << error;
  return kBadInput;
}

void print(const std::vector<report::CrossRow>& rows, bool as_json) {
  if (as_json) {
    for (const report::CrossRow& row : rows) std::cout << report::crossval_json(row) << "\n";
  } else {
    const report::Style style = output_style();
    std::cout << fitted(report::crossval_text(rows, style));
  }
  std::cout.flush();
}

bool write_pages(const std::string& folder, const std::vector<report::CrossRow>& rows, const api::Crossval& campaign,
                 const std::atomic<bool>& interrupted) {
  api::Site site(folder, interrupted);
  const std::vector<std::string> links = api::add_pages(site, rows, campaign);
  const auto mode = is_terminal(2) ? Progress::Mode::Live : Progress::Mode::Silent;
  return write_site(site, mode, [&](std::vector<std::string> notes) {
    if (interrupted) notes.push_back(fmt::format("The campaign is not finished: {} tests have a result.", rows.size()));
    return report::index_page(rows, links, notes);
  });
}

/// If there is a budget, rejects options that set a test's duration or parameters, because Ambit then chooses both.
void require_no_other_duration(Command command) {
  for (const Option option : command.options()) {
    const std::string name = option.name();
    const bool decides = name == "--seconds" || name == "--rounds" || name == "--vary" || name == "--profile";
    if (decides && option.is_given()) throw UsageError("--budget", fmt::format("cannot be combined with {}", name));
  }
}

int run_crossval(const CrossvalCommand& command) {
  const std::atomic<bool>& interrupted = catch_interrupts();
  std::optional<Progress> progress;
  api::CrossvalEvents events;
  events.on_progress = [&](std::size_t done, std::size_t all, const std::string& test) {
    if (!progress) progress.emplace(is_terminal(2) ? Progress::Mode::Live : Progress::Mode::Silent, all);
    progress->show(done, test);
  };
  events.on_note = [&](const std::string& text) {
    if (progress) progress->clear();
    std::cerr << text;
  };
  api::Crossval campaign(command.request, events, interrupted);
  const std::string error = campaign.run();
  if (progress) progress->clear();
  if (!error.empty()) return fail(error);
  const std::vector<report::CrossRow> rows = campaign.rows();
  print(rows, command.json);
  if (!command.html.empty() && !write_pages(command.html, rows, campaign, interrupted)) return kBadInput;
  if (interrupted) std::cerr << "interrupted: with --log FILE the next call resumes from here\n";
  if (const std::string missing = campaign.missing_results(); !missing.empty()) return fail(missing);
  if (campaign.has_bad_tests()) return kBadInput;
  if (std::ranges::any_of(rows, &report::CrossRow::has_forbidden)) return kFailed;
  return interrupted || std::ranges::any_of(rows, &report::CrossRow::is_open) ? kUnknown : kOk;
}

}  // namespace

Action declare_crossval(Command command) {
  const auto options = std::make_shared<CrossvalCommand>();
  options->request.version = AMBIT_VERSION;
  command.argument("FILES", options->request.paths, "Tests, or folders of tests").required().shown_as("FILES|DIRS");
  command
      .option(
          "-m,--model", [options](const std::string& text) { options->request.models = split_models(text); },
          "Models to check (default ptx)")
      .value_name("MODEL[,MODEL]");
  add_external_detector_options(command, options->request.detectors);
  add_backend_option(command, options->request.backend);
  command.option("--runs", options->request.simulator.runs, "Number of runs of each test")
      .positive()
      .show_default()
      .group(kOnSimulator);
  add_memory_option(command, options->request.simulator);
  command.option("--seed", options->request.seed, "Seed of random choices").show_default();
  command.option("--record", options->request.record, "Runs to record for each test").show_default().value_name("N");
  command
      .option("--budget", options->request.budget,
              "GPU seconds for all tests together. Ambit spends them on tests that have not shown every allowed "
              "outcome")
      .value_name("SECONDS")
      .positive()
      .group(kOnGpu);
  command.option("--log", options->request.log, "Append each result to this file, and resume after its last result")
      .value_name("FILE");
  command.option("--html", options->html, "Write pages to this folder").value_name("DIR").check(folder_can_be_made);
  command.flag("--json", options->json, "Print a line of JSON for each test");
  add_shard_option(command, options->request.hardware.shard, options->request.hardware.shards);
  add_hardware_options(command, options->request.hardware);
  add_in_gpu_option(command, options->request.hardware);
  add_stm_option(command, options->request.hardware.run.stm).group(kOnGpu);
  return [command, options] {
    require_options_of(command, options->request.backend);
    if (options->request.budget > 0) require_no_other_duration(command);
    return run_crossval(*options);
  };
}

}  // namespace ambit::cli
