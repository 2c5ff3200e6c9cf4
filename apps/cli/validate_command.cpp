#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <iostream>
#include <memory>

#include "api/explanation.h"
#include "api/files.h"
#include "api/validation.h"
#include "apps/cli/commands.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/options.h"
#include "apps/cli/progress.h"
#include "apps/cli/site_writer.h"
#include "apps/cli/terminal.h"
#include "apps/cli/tool_command.h"
#include "report/json/json.h"
#include "report/text/result_texts.h"

namespace ambit::cli {
namespace {

struct ValidateCommand {
  std::vector<std::string> paths;
  api::DetectorSelection selection;
  std::vector<std::string> models = {"hrf-direct", "hrf-indirect", "hrf-relaxed", "ptx",
                                     "cuda-cpp",   "scoped-hb",    "gwcp"};
  sim::Options options;
  std::uint64_t sampled_runs = 0;  ///< 0: every schedule
  unsigned timeout = 60;
  std::string folder;
  api::ToolRequest tool;  ///< a tool is asked instead of detectors, if it has a name
  unsigned jobs = 1;
  bool json = false;
  bool quiet = false;
};

parser::RulesPtr rules_to_explain(const report::ValidationTest& test, const std::vector<parser::RulesPtr>& models) {
  std::vector<std::optional<bool>> races;
  for (const report::ValidationVerdict& verdict : test.verdicts) {
    const bool is_known = verdict.race != events::Possibility::Unknown;
    races.push_back(is_known ? std::optional(verdict.race == events::Possibility::Possible) : std::nullopt);
  }
  return api::model_to_explain(models, races, test.label);
}

/// Writes the pages. False: some page could not be written.
bool write_site(const ValidateCommand& command, const report::Validation& validation,
                const std::vector<parser::RulesPtr>& models, const std::atomic<bool>& interrupted) {
  api::Site site(command.folder, interrupted);
  std::vector<std::string> links;
  std::size_t not_run = 0;
  for (const report::ValidationTest& test : validation.tests) {
    const bool has_page = test.was_run && test.error.empty();
    not_run += test.was_run ? 0 : 1;
    links.push_back(
        has_page
            ? site.add({.page = report::page_of(validation, test),
                        .program = test.program,
                        .rules = rules_to_explain(test, models),
                        .timeline = test.timeline,
                        .timeline_title = "The first run in which a detector reports a race whose accesses it keeps."})
            : "");
  }
  return write_site(site, Progress::mode_of(command.quiet), [&](std::vector<std::string> notes) {
    if (not_run > 0) {
      notes.push_back(fmt::format("The run was interrupted: {} of {} tests were not run.", not_run, links.size()));
    }
    return report::index_page(validation, links, notes);
  });
}

int exit_code(api::ValidationStatus status) {
  switch (status) {
    case api::ValidationStatus::Ok: return kOk;
    case api::ValidationStatus::Failed: return kFailed;
    case api::ValidationStatus::BadInput: return kBadInput;
    case api::ValidationStatus::Unknown: return kUnknown;
  }
  return kInternalError;
}

int run_validate(ValidateCommand command) {
  const auto files = api::collect_files(command.paths);
  const auto detectors = api::chosen_detectors(command.selection);
  parser::ModelStore store;
  const auto models = store.load_all(command.models);
  const auto suites = files.ok() ? api::Suites::read(command.paths, files.value(), catch_interrupts()) : api::Suites();
  if (!suites.ok()) {
    std::cerr << render(suites.errors());
    return kBadInput;
  }
  if (!files.ok() || !detectors.ok() || !models.ok()) {
    std::cerr << render(!files.ok() ? files.errors() : !detectors.ok() ? detectors.errors() : models.errors());
    return kBadInput;
  }
  if (command.sampled_runs > 0) {
    command.options.runs = command.sampled_runs;
    if (command.options.schedule == sim::ScheduleKind::Exhaustive) {
      command.options.schedule = sim::ScheduleKind::Pct;
    }
  }
  Progress progress(Progress::mode_of(command.quiet), files.value().size());
  const api::ValidationOptions options{
      .runs = command.options,
      .timeout = std::chrono::seconds(command.timeout),
      .keeps_timelines = !command.folder.empty(),
      .threads = command.jobs,
      .suites = suites.value(),
      .waiting = [&](std::size_t file, std::size_t done) { progress.show(done, files.value()[file]); }};
  report::Validation validation =
      api::validate(files.value(), detectors.value(), models.value(), options, catch_interrupts());
  validation.suite = command.paths.front();
  progress.clear();
  for (const report::ValidationTest& test : validation.tests) std::cerr << test.error;
  const report::Style style = output_style();
  std::cout << (command.json ? report::validation_json(validation, AMBIT_VERSION)
                             : fitted(report::validation_text(validation, style)));
  if (!command.folder.empty() && !write_site(command, validation, models.value(), catch_interrupts())) return kBadInput;
  return exit_code(api::status_of(validation));
}

}  // namespace

Action declare_validate(Command command) {
  const auto options = std::make_shared<ValidateCommand>();
  options->options.memory = sim::MemoryKind::Sc;
  options->options.schedule = sim::ScheduleKind::Exhaustive;
  command.argument("SUITE", options->paths, "Tests, or folders of tests").required().shown_as("SUITE...");
  add_detector_options(command, options->selection);
  command
      .option(
          "-m,--model", [&given = *options](const std::string& text) { given.models = split_models(text); },
          "The models whose race verdicts are compared (default: all models that define races)")
      .value_name("MODEL[,MODEL]");
  const Option runs =
      command.option("--runs", options->sampled_runs, "Number of runs of each test, instead of every schedule")
          .positive();
  command
      .choice(
          "--schedule", {"pct", "random", "rr"},
          [&given = *options](const std::string& name) { given.options.schedule = *sim::schedule_from_string(name); },
          "The schedules of these runs")
      .show_default("pct")
      .needs(runs);
  command.option("--seed", options->options.seed, "Seed of random choices").show_default().needs(runs);
  command
      .choice(
          "--memory", {"sc", "gpu"},
          [&given = *options](const std::string& name) { given.options.memory = *sim::memory_from_string(name); },
          "sc: one memory; gpu: store buffers and caches")
      .show_default("sc");
  command
      .option("--timeout", options->timeout,
              "Seconds for the runs of one test, and for the verdict of each model on it")
      .value_name("SECONDS")
      .range(1, 1000000)
      .show_default();
  command.option("--html", options->folder, "Also write web pages into this folder")
      .value_name("DIR")
      .check(folder_can_be_made);
  command
      .option("-j,--jobs", options->jobs, "Number of tests that run at the same time; the output does not depend on it")
      .range(1, 1024)
      .show_default();
  command.flag("--json", options->json, "Print one JSON document (docs/validate.md)");
  command.flag("-q,--quiet", options->quiet, "Print no progress");
  add_tool_options(command, options->tool);
  return [command, options] {
    check_tool_options(command);
    if (options->tool.tool.empty()) return run_validate(*options);
    options->tool.paths = options->paths;
    if (options->sampled_runs > 0) options->tool.options.runs = options->sampled_runs;
    options->tool.options.timeout = std::chrono::seconds(options->timeout);
    options->tool.threads = options->jobs;
    return run_tool(options->tool, options->json, options->quiet);
  };
}

}  // namespace ambit::cli
