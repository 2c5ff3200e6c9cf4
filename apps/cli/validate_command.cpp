#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <iostream>
#include <memory>

#include "api/files.h"
#include "api/study/validation.h"
#include "api/study/validation_export.h"
#include "api/study/validation_pages.h"
#include "apps/cli/commands.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/options.h"
#include "apps/cli/progress.h"
#include "apps/cli/site_writer.h"
#include "apps/cli/terminal.h"
#include "apps/cli/validate_tool.h"
#include "apps/cli/validation_runs.h"
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
  ValidationRuns runs;
  bool names_detectors = false;
  std::string folder;
  std::string export_folder;
  api::ToolRequest tool;  ///< if it names a tool, the tool runs instead of the detectors
  Form form = Form::Text;
  bool scores = false;
  bool stats = false;
  bool quiet = false;
};

/// Writes the pages. Returns false if some page could not be written.
bool write_site(const ValidateCommand& command, const report::Validation& validation,
                const std::vector<parser::RulesPtr>& models, const std::atomic<bool>& interrupted) {
  api::Site site(command.folder, interrupted);
  const report::ValidationLinks links = api::add_pages(site, validation, models);
  return write_site(site, Progress::mode_of(command.quiet),
                    [&](std::vector<std::string> notes) { return api::validation_index(validation, links, notes); });
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
  command.selection.external->timeout = std::chrono::seconds(command.runs.timeout);
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
  command.runs.choose();
  Progress progress(Progress::mode_of(command.quiet), files.value().size());
  const api::ValidationOptions options{
      .runs = command.runs.options,
      .timeout = std::chrono::seconds(command.runs.timeout),
      .keeps_timelines = !command.folder.empty(),
      .measures_cost = command.stats,
      .keeps_runs = !command.export_folder.empty(),
      .threads = command.runs.jobs,
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

/// Declares the options that control the output.
void declare_output(Command command, const std::shared_ptr<ValidateCommand>& options) {
  command.option("--export", options->export_folder, "Also write the scored runs and all answers into this folder")
      .value_name("DIR")
      .check(folder_can_be_made);
  command.option("--html", options->folder, "Also write web pages into this folder")
      .value_name("DIR")
      .check(folder_can_be_made);
  command.flag("--scores", options->scores,
               "Also print precision, recall, first races, kinds and levels of races, and differences between "
               "detectors");
  command.flag("--stats", options->stats,
               "Measure the time and memory of each detector alone, and print them with the scores");
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
  command.argument("SUITE", options->paths, "Tests, or folders of tests").required().shown_as("SUITE...");
  add_external_detector_options(command, options->selection);
  command
      .option(
          "-m,--model", [&given = *options](const std::string& text) { given.models = split_models(text); },
          "The models whose race verdicts are compared (default: all models that define races)")
      .value_name("MODEL[,MODEL]");
  declare_validation_runs(command, options->runs);
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
    if (options->runs.sampled > 0) options->tool.options.runs = options->runs.sampled;
    options->tool.options.timeout = std::chrono::seconds(options->runs.timeout);
    options->tool.threads = options->runs.jobs;
    return run_tool(options->tool, options->form == Form::Json, options->quiet);
  };
}

}  // namespace ambit::cli
