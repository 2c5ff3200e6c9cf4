#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/resource.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>

#include "api/check/added_expectations.h"
#include "api/check/explanation.h"
#include "api/check/file_checker.h"
#include "api/files.h"
#include "apps/cli/commands.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/next_steps.h"
#include "apps/cli/options.h"
#include "apps/cli/progress.h"
#include "apps/cli/remarks.h"
#include "apps/cli/site_writer.h"
#include "apps/cli/terminal.h"
#include "report/json/json.h"
#include "report/logs/findings.h"
#include "report/logs/herd.h"
#include "report/logs/junit.h"
#include "report/logs/sarif.h"
#include "report/text/summary.h"
#include "report/text/verdict_text.h"

namespace ambit::cli {
namespace {

using verdict::Status;

struct CheckCommand {
  api::CheckingOptions checking;
  api::AddedExpectations added;
  std::vector<std::string> paths;
  unsigned jobs = api::default_jobs();
  OutputFormat format = OutputFormat::Text;
  std::string junit_file;
  std::string sarif_file;
  bool statistics = false;
  bool quiet = false;
  bool witness = false;
  bool readings = false;
  bool fails_on_fault = false;
  bool outcomes = false;
  std::string html_folder;  ///< folder for pages; may be empty
};

/// Estimates the width of the column for test names from the names of the files, before Ambit reads any file.
std::size_t name_width(const std::vector<std::string>& files) {
  constexpr std::size_t kWidest = 52;
  std::size_t width = 0;
  for (const std::string& file : files) width = std::max(width, std::filesystem::path(file).stem().string().size());
  return std::min(width, kWidest);
}

/// Returns the peak resident memory of the process, in MiB.
double peak_memory() {
  struct rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

/// Sums of the times and counters of all verdicts, for --stats.
class TotalStatistics {
 public:
  void add(const report::TestResult& test) {
    for (const report::ModelResult& result : test.results) {
      milliseconds_ += result.milliseconds;
      for (const auto& [name, value] : result.statistics.values) total_.add(name, value);
    }
  }
  std::string text() const {
    Statistics total = total_;
    total.values["memory.peak_mib"] = peak_memory();
    return report::statistics_text(total, milliseconds_, 2);
  }

 private:
  Statistics total_;
  double milliseconds_ = 0;
};

/// The facts that determine the exit status.
struct CheckEnd {
  const report::Summary& summary;
  bool is_log_complete = true;  ///< false if some outcomes in a log are undecided
  bool is_written = true;       ///< false if some file could not be written
  bool was_interrupted = false;

  int exit_status() const {
    if (summary.has_internal_error()) return kInternalError;
    if (!is_written || summary.has_bad_input()) return kBadInput;
    if (summary.count(Status::Fail) > 0) return kFailed;
    const bool is_all_run = !was_interrupted && summary.not_run() == 0;
    return summary.count(Status::Unknown) == 0 && is_all_run && is_log_complete ? kOk : kUnknown;
  }
};

bool is_log_complete(const report::TestResult& test) {
  return std::ranges::all_of(
      test.results, [](const report::ModelResult& result) { return result.termination || report::is_decided(result); });
}

/// Prints results as they arrive, and the tables at the end.
class Printer {
 public:
  Printer(const CheckCommand& command, Command declared, const std::vector<std::string>& files)
      : command_(command), declared_(declared), single_(files.size() == 1), widths_{name_width(files)} {}

  void print(const report::TestResult& test) {
    if (!test.error.empty()) std::cerr << test.error;
    if (test.program) print_remarks(*test.program);
    if (command_.format == OutputFormat::Herd) {
      log(test);
    } else if (command_.format == OutputFormat::Json) {
      json_.push_back(report::test_json(test, {command_.witness, command_.statistics}));
    } else {
      lines(test);
    }
    std::cout.flush();
  }

  /// Prints the tables or, in JSON format, the whole document.
  void finish(const report::Summary& summary, const TotalStatistics& statistics) const {
    if (command_.format == OutputFormat::Json) std::cout << report::json_document(AMBIT_VERSION, json_);
    if (command_.format == OutputFormat::Text && !command_.quiet) tables(summary, statistics);
    std::cout.flush();
  }

 private:
  /// Prints the log on standard output, and unmet expectations on standard error.
  void log(const report::TestResult& test) {
    const std::string name = names_.name_of(test);
    if (name != report::log_name(test.name())) {
      std::cerr << fmt::format("{}: warning: another test in the log has the name {}; this test gets the name {}\n",
                               test.file, report::log_name(test.name()), name);
    }
    for (const report::ModelResult& result : test.results) {
      std::cout << report::herd_log(test, result, name, command_.statistics ? result.milliseconds / 1000 : 0);
      const Status status = result.judgement.status;
      if (status == Status::Fail || status == Status::Unknown) {
        std::cerr << report::result_line(test, result, {}, widths_);
      }
    }
  }

  void lines(const report::TestResult& test) {
    if (!test.was_run) return;
    if (test.results.empty() && !test.error.empty()) {
      std::cout << style_.status(Status::Error, report::pad("ERROR", 7)) << "  " << test.file << "\n";
    }
    for (const report::ModelResult& result : test.results) widths_.model = std::max(widths_.model, result.model.size());
    std::vector<const report::ModelResult*> detailed;
    for (const report::ModelResult& result : test.results) {
      if (shows_details(result)) detailed.push_back(&result);
    }
    const auto detail = command_.witness ? report::Detail::Witnesses : report::Detail::Witness;
    auto groups = report::answer_groups(test, detailed, style_, detail);
    for (const report::ModelResult& result : test.results) {
      if (!shows_details(result)) {
        if (shows_line(test, result)) line(test, result);
        continue;
      }
      const auto group = std::ranges::find_if(groups, [&](const report::AnswerGroup& one) {
        return !one.results.empty() && one.results.front() == &result;
      });
      if (group == groups.end()) continue;
      for (const report::ModelResult* same : group->results) line(test, *same);
      std::cout << fitted(group->details) << "\n";
      if (single_ && command_.statistics) statistics(group->results);
    }
    if (single_ && !command_.quiet) std::cout << style_.faint(next_steps(declared_, test));
  }

  /// Returns whether to print the line of a result. Always prints a race if the test has no expectation, and an
  /// unexpected fault such as an access out of bounds.
  bool shows_line(const report::TestResult& test, const report::ModelResult& result) const {
    if (!command_.quiet || !result.readings.empty()) return true;
    const Status status = result.judgement.status;
    const bool has_race = result.verdict && result.verdict->race == events::Possibility::Possible;
    return (status == Status::NothingExpected && has_race) ||
           (status != Status::Ok && status != Status::NothingExpected) || report::has_fault(test, result);
  }

  bool shows_details(const report::ModelResult& result) const {
    if (command_.quiet || !result.has_verdict()) return false;
    return single_ || command_.witness || result.judgement.status == Status::Fail;
  }

  void line(const report::TestResult& test, const report::ModelResult& result) const {
    if (command_.quiet) std::cout << report::first_place(test, result) << ": ";
    std::cout << fitted(report::result_line(test, result, style_, widths_));
    for (const report::ModelResult::Reading& reading : result.readings) {
      std::cout << fmt::format("         depends on {}: {} under {}\n", reading.option, reading.verdict, reading.value);
    }
    if (command_.readings && result.verdict && result.readings.empty() && !command_.quiet) {
      std::cout << "         identical under every value of every option of the model\n";
    }
  }

  static void statistics(const std::vector<const report::ModelResult*>& results) {
    for (const report::ModelResult* result : results) {
      if (results.size() > 1) std::cout << result->model << "\n";
      std::cout << report::statistics_text(result->statistics, result->milliseconds, 2) << "\n";
    }
  }

  void tables(const report::Summary& summary, const TotalStatistics& statistics) const {
    if (!single_) {
      for (const std::string& table : {summary.label_tables(style_), summary.status_table(style_)}) {
        if (!table.empty()) std::cout << "\n" << fitted(table);
      }
      std::cout << "\n" << summary.one_line(style_);
    }
    if (command_.statistics) std::cout << "\nstatistics of all verdicts\n" << statistics.text();
  }

  const CheckCommand& command_;
  Command declared_;
  bool single_;
  report::LineWidths widths_;
  report::LogNames names_;
  report::Style style_ = output_style();
  std::vector<std::string> json_;
};

/// Collects the pages of --html.
class Pages {
 public:
  Pages(const CheckCommand& command, const std::atomic<bool>& interrupted)
      : command_(command), site_(command.html_folder, interrupted) {}

  void add(const report::TestResult& test) {
    if (!test.was_run) return index_.add(test, "");
    index_.add(test, site_.add({.page = report::page_of(test), .program = test.program, .rules = explained(test)}));
  }

  bool write(const report::Summary& summary, bool interrupted) {
    return write_site(site_, Progress::mode_of(command_.quiet), [&](std::vector<std::string> notes) {
      if (interrupted) {
        notes.push_back(
            fmt::format("The run was interrupted: {} of {} tests were not run.", summary.not_run(), summary.tests()));
      }
      return index_.page(summary, fmt::format("Models on {}", fmt::join(command_.paths, " ")), notes);
    });
  }

 private:
  /// Returns the model whose answer the page explains: if possible, a model with an unexpected verdict.
  static parser::RulesPtr explained(const report::TestResult& test) {
    std::vector<parser::RulesPtr> models;
    std::vector<std::optional<bool>> races;
    for (const report::ModelResult& result : test.results) {
      if (!result.verdict) continue;
      if (result.judgement.status == Status::Fail) return result.verdict->rules;
      models.push_back(result.verdict->rules);
      const events::Possibility race = result.verdict->race;
      const bool is_known = race != events::Possibility::Unknown;
      races.push_back(is_known ? std::optional(race == events::Possibility::Possible) : std::nullopt);
    }
    if (models.empty()) return nullptr;
    const auto& labels = test.program->labels;
    return api::model_to_explain(models, races, labels.empty() ? std::nullopt : std::optional(labels.front().race));
  }

  const CheckCommand& command_;
  api::Site site_;
  report::CheckIndex index_;
};

api::OutcomesQuestion outcomes_question(const CheckCommand& command) {
  if (command.format == OutputFormat::Herd) return api::OutcomesQuestion::Log;
  return command.outcomes || command.format == OutputFormat::Json ? api::OutcomesQuestion::WithoutCondition
                                                                  : api::OutcomesQuestion::Never;
}

/// Loads the models, and reads the expectations of the command line.
Result<api::ExpectationAdder> read_expectations(const CheckCommand& command, parser::ModelStore& store) {
  const Result<std::vector<parser::RulesPtr>> models = store.load_all(command.checking.models);
  if (!models.ok()) return models.errors();
  Result<api::ExpectationAdder> expectations = api::ExpectationAdder::make(command.added, models.value(), store);
  if (expectations.ok() && command.format == OutputFormat::Herd && expectations.value().models().size() > 1) {
    return api::path_error("--format herd",
                           "a log holds the outcomes of one model, but --expect or --fail-on-race names another");
  }
  return expectations;
}

/// Writes the files for other tools, such as JUnit XML and SARIF, at the end.
class Reports {
 public:
  explicit Reports(const CheckCommand& command) : command_(command), sarif_(AMBIT_VERSION) {}

  void add(const report::TestResult& test) {
    if (!command_.junit_file.empty()) junit_.add(test);
    if (command_.sarif_file.empty()) return;
    sarif_.add(report::findings_of(test));
    if (!test.error.empty()) sarif_.add_error(test.error);
    if (!test.was_run) sarif_.add_error(test.file + ": interrupted before it was checked");
  }

  /// Returns false if some file could not be written.
  bool write() const {
    const auto write = [](const std::string& file, const auto& report) {
      if (file.empty()) return true;
      const auto error = api::write_file(file, report.document());
      if (error) std::cerr << error->render();
      return !error;
    };
    const bool has_junit = write(command_.junit_file, junit_);
    return write(command_.sarif_file, sarif_) && has_junit;
  }

 private:
  const CheckCommand& command_;
  report::JUnit junit_;
  report::Sarif sarif_;
};

/// Throws a usage error if an input file does not exist and its name is a model's name, as in `--fail-on-race ptx`.
void require_no_model_as_file(const std::vector<std::string>& paths, parser::ModelStore& store) {
  for (const std::string& path : paths) {
    std::error_code ignored;
    if (path == "-" || std::filesystem::exists(path, ignored) || !store.load_reference(path).ok()) continue;
    throw UsageError(path, fmt::format("is a model, not a file: write --model {0} or --fail-on-race={0}", path));
  }
}

int run_check(const CheckCommand& command, Command declared) {
  parser::ModelStore store;
  require_no_model_as_file(command.paths, store);
  const Result<std::vector<std::string>> files = api::collect_files(command.paths);
  const Result<api::ExpectationAdder> expectations = read_expectations(command, store);
  if (!files.ok()) std::cerr << render(files.errors());
  if (!expectations.ok()) std::cerr << render(expectations.errors());
  if (!files.ok() || !expectations.ok()) return kBadInput;
  const std::atomic<bool>& interrupted = catch_interrupts();
  const std::size_t count = files.value().size();

  report::Summary summary;
  Reports reports(command);
  TotalStatistics statistics;
  CheckEnd end{summary};
  Printer printer(command, declared, files.value());
  std::optional<Pages> pages;
  if (!command.html_folder.empty()) pages.emplace(command, interrupted);
  {
    Progress progress(Progress::mode_of(command.quiet), count);
    const auto checked = [&](const report::TestResult& test) {
      progress.clear();
      summary.add(test);
      reports.add(test);
      if (command.statistics) statistics.add(test);
      if (pages) pages->add(test);
      if (command.format == OutputFormat::Herd && !is_log_complete(test)) end.is_log_complete = false;
      printer.print(test);
    };
    const auto waiting = [&](std::size_t done, const std::string& file, const std::string& question) {
      progress.show(done, file, question);
    };
    const bool explains_races = !command.sarif_file.empty();
    api::check_files(files.value(), command.jobs,
                     {command.checking, outcomes_question(command), expectations.value(), store, interrupted,
                      explains_races, command.readings, command.fails_on_fault},
                     {.checked = checked, .waiting = waiting});
  }
  end.was_interrupted = interrupted.load();
  printer.finish(summary, statistics);
  if (end.was_interrupted) {
    std::cerr << fmt::format("interrupted: {} of {} tests not run\n", summary.not_run(), summary.tests());
  }
  if (!reports.write()) end.is_written = false;
  if (pages && !pages->write(summary, end.was_interrupted)) end.is_written = false;
  return ended(end.exit_status());
}

}  // namespace

Action declare_check(Command command) {
  const auto options = std::make_shared<CheckCommand>();
  command
      .argument("FILES", options->paths, "Tests (.litmus, .test, .cu), folders of tests, or - for the standard input")
      .required()
      .shown_as("FILES|DIRS");
  add_checking_options(command, options->checking);
  add_stm_options(command, options->checking);
  add_dump_option(command, options->checking);
  add_property_options(command, options->checking);
  add_expectation_options(command, options->added);
  command.option("-j,--jobs", options->jobs, "Tests to run at the same time")
      .value_name("N")
      .range(1, 1024)
      .show_default("one per core, at most 8");
  add_format_options(command, options->format);
  command.option("--junit", options->junit_file, "Also write a JUnit XML file")
      .value_name("FILE")
      .check(file_can_be_written);
  add_sarif_option(command, options->sarif_file);
  command.option("--html", options->html_folder, "Also write pages into this folder, with explanations and pictures")
      .value_name("DIR")
      .check(folder_can_be_made);
  command.flag("--stats", options->statistics, "Print times and counters");
  command.flag("-q,--quiet", options->quiet,
               "Print only unexpected verdicts, races in tests without expectations, and faults");
  command.flag("--fail-on-fault", options->fails_on_fault,
               "Treat faults that the test does not expect as failures (status 1): failed assertions, accesses out of "
               "bounds, barriers that threads miss, undefined behaviour");
  command.flag("--readings", options->readings,
               "Also check each other value of each model option; print the values that change the verdict");
  command.flag("--outcomes", options->outcomes, "Also list the outcomes of tests without a condition");
  command.flag("-w,--witness", options->witness, "Print an execution for the condition and for each race");
  return [options, command] {
    choose_deepening(command, options->checking);
    require_sense(options->format, options->checking);
    if (options->added.no_race && options->checking.only_termination) {
      throw UsageError("--fail-on-race", "--property termination does not check races");
    }
    if (options->fails_on_fault && (options->checking.only_termination || options->format == OutputFormat::Herd)) {
      throw UsageError("--fail-on-fault", "applies only to verdicts about executions");
    }
    if (options->quiet && options->statistics && options->format == OutputFormat::Text) {
      throw UsageError("--stats", "cannot be combined with --quiet");
    }
    return run_check(*options, command);
  };
}

}  // namespace ambit::cli
