#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <iostream>
#include <memory>

#include "api/check/explanation.h"
#include "api/files.h"
#include "api/study/validation.h"
#include "api/study/validation_export.h"
#include "apps/cli/commands.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/options.h"
#include "apps/cli/progress.h"
#include "apps/cli/site_writer.h"
#include "apps/cli/terminal.h"
#include "apps/cli/validate_tool.h"
#include "report/json/json.h"
#include "report/text/result_texts.h"

namespace ambit::cli {
namespace {

enum class Form : std::uint8_t { Text, Json, Csv, Latex };

struct ValidateCommand {
  std::vector<std::string> paths;
  api::DetectorSelection selection;
  std::vector<std::string> models = {"hrf-direct", "hrf-indirect", "hrf-relaxed", "ptx",
                                     "cuda-cpp",   "scoped-hb",    "gwcp"};
  sim::Options options;
  bool names_detectors = false;
  std::uint64_t sampled_runs = 0;  ///< 0 for every schedule
  unsigned timeout = 60;
  std::string folder;
  std::string export_folder;
  api::ToolRequest tool;  ///< if this request names a tool, the tool runs instead of the detectors
  unsigned jobs = 1;
  Form form = Form::Text;
  bool scores = false;
  bool stats = false;
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

/// Writes the pages. Returns false if some page could not be written.
bool write_site(const ValidateCommand& command, const report::Validation& validation,
                const std::vector<parser::RulesPtr>& models, const std::atomic<bool>& interrupted) {
  api::Site site(command.folder, interrupted);
  report::ValidationLinks links;
  std::size_t not_run = 0;
  for (const report::ValidationTest& test : validation.tests) {
    const bool has_page = test.was_run && test.error.empty();
    not_run += test.was_run ? 0 : 1;
    links.tests.push_back(
        has_page
            ? site.add({.page = report::page_of(validation, test),
                        .program = test.program,
                        .rules = rules_to_explain(test, models),
                        .timeline = test.timeline,
                        .timeline_title = "The first run in which a detector reports a race and names its accesses."})
            : "");
  }
  for (std::size_t i = 0; i < validation.detectors.size(); ++i) {
    links.detectors.push_back(
        site.add("detector-" + validation.detectors[i], report::detector_page(validation, i, links.tests)));
  }
  return write_site(site, Progress::mode_of(command.quiet), [&](std::vector<std::string> notes) {
    if (not_run > 0) {
      notes.push_back(
          fmt::format("The run was interrupted: {} of {} tests were not run.", not_run, links.tests.size()));
    }
    return report::index_page(validation, links, notes);
  });
}

void print(const ValidateCommand& command, const report::Validation& validation) {
  switch (command.form) {
    case Form::Text: {
      const report::Style style = output_style();
      std::cout << fitted(report::validation_text(validation, style));
      if (command.scores || command.stats) std::cout << fitted(report::scores_text(validation));
      break;
    }
    case Form::Json: std::cout << report::validation_json(validation, AMBIT_VERSION); break;
    case Form::Csv: std::cout << report::scores_csv(validation); break;
    case Form::Latex: std::cout << report::scores_latex(validation); break;
  }
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
  const std::atomic<bool>& interrupted = catch_interrupts();
  command.selection.external->timeout = std::chrono::seconds(command.timeout);
  const auto files = api::collect_files(command.paths);
  const bool has_only_results = !command.selection.results.empty() && !command.names_detectors;
  if (has_only_results) command.selection.names.clear();
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
    return interrupted ? kUnknown : kBadInput;
  }
  if (!command.export_folder.empty()) {
    if (const auto error = api::check_export(files.value(), interrupted)) return bad_input({*error});
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
      .measures_cost = command.stats,
      .keeps_runs = !command.export_folder.empty(),
      .threads = command.jobs,
      .suites = suites.value(),
      .waiting = [&](std::size_t file, std::size_t done) { progress.show(done, files.value()[file]); }};
  report::Validation validation = api::validate(files.value(), detectors.value(), models.value(), options, interrupted);
  validation.suite = command.paths.front();
  progress.clear();
  for (const report::ValidationTest& test : validation.tests) std::cerr << test.error;
  print(command, validation);
  if (!command.folder.empty() && !write_site(command, validation, models.value(), interrupted)) return kBadInput;
  if (!command.export_folder.empty()) {
    const auto error = api::export_validation(command.export_folder, validation, detectors.value(), AMBIT_VERSION);
    if (error) return bad_input({*error});
  }
  return exit_code(api::status_of(validation));
}

/// Declares the options that concern the output.
void declare_output(Command command, const std::shared_ptr<ValidateCommand>& options) {
  command.option("--export", options->export_folder, "Also write the scored runs and all answers into this folder")
      .value_name("DIR")
      .check(folder_can_be_made);
  command.option("--html", options->folder, "Also write web pages into this folder")
      .value_name("DIR")
      .check(folder_can_be_made);
  command
      .option("-j,--jobs", options->jobs, "Number of tests that run at the same time; the output does not depend on it")
      .range(1, 1024)
      .show_default();
  command.flag("--scores", options->scores,
               "Also print precision, recall, first races, kinds and levels of races, and where detectors differ");
  command.flag("--stats", options->stats,
               "Measure the time and memory of each detector, each by itself, and print them with the scores");
  const Option format =
      command
          .choice(
              "--format", {"text", "json", "csv", "latex"},
              [&given = *options](const std::string& name) {
                given.form = name == "json"    ? Form::Json
                             : name == "csv"   ? Form::Csv
                             : name == "latex" ? Form::Latex
                                               : Form::Text;
              },
              "text, json (one document, docs/reference/validate.md), csv (a line for each cell) or latex (tables)")
          .show_default("text");
  command
      .flag(
          "--json", [&given = *options] { given.form = Form::Json; }, "Short for --format json")
      .excludes(format);
}

}  // namespace

Action declare_validate(Command command) {
  const auto options = std::make_shared<ValidateCommand>();
  options->options.memory = sim::MemoryKind::Sc;
  options->options.schedule = sim::ScheduleKind::Exhaustive;
  command.argument("SUITE", options->paths, "Tests, or folders of tests").required().shown_as("SUITE...");
  add_external_detector_options(command, options->selection);
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
              "Seconds for the runs of one test, for the verdict of each model on it, and for a detector program's "
              "answer about one run")
      .value_name("SECONDS")
      .range(1, 1000000)
      .show_default();
  command
      .option("--results", options->selection.results,
              "Also score a detector's answers in this file; can be repeated. Without --detector, score only "
              "these answers")
      .value_name("[NAME=]FILE")
      .one_value_each();
  declare_output(command, options);
  command.flag("-q,--quiet", options->quiet, "Print no progress");
  add_tool_options(command, options->tool);
  return [command, options] {
    check_tool_options(command);
    if (options->tool.tool.empty()) {
      options->names_detectors = command.find_option("--detector").is_given();
      return run_validate(*options);
    }
    options->tool.paths = options->paths;
    if (options->sampled_runs > 0) options->tool.options.runs = options->sampled_runs;
    options->tool.options.timeout = std::chrono::seconds(options->timeout);
    options->tool.threads = options->jobs;
    return run_tool(options->tool, options->form == Form::Json, options->quiet);
  };
}

}  // namespace ambit::cli
