#include <fmt/format.h>
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>
#include <thread>

#include "api/files.h"
#include "apps/cli/commands.h"
#include "apps/cli/exit_code.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/page_writer.h"
#include "apps/cli/pool.h"
#include "apps/cli/progress.h"
#include "apps/cli/question.h"
#include "apps/cli/test_runner.h"
#include "report/json/verdict_json.h"
#include "report/logs/herd.h"
#include "report/logs/junit.h"
#include "report/text/summary.h"
#include "report/text/verdict_text.h"

namespace ambit::cli {
namespace {

using verdict::Status;

struct CheckCommand {
  CheckingOptions checking;
  std::vector<std::string> paths;
  unsigned jobs = 1;
  OutputFormat format = OutputFormat::Text;
  std::string junit_file;
  bool statistics = false;
  bool quiet = false;
  bool witness = false;
  std::string html_folder;  ///< empty: none
};

/// Room for the names of tests in the lines, guessed from the files' names before any is read.
std::size_t name_width(const std::vector<std::string>& files) {
  constexpr std::size_t kWidest = 52;
  std::size_t width = 0;
  for (const std::string& file : files) width = std::max(width, std::filesystem::path(file).stem().string().size());
  return std::min(width, kWidest);
}

/// Peak resident memory of the process, in MiB.
double peak_memory() {
  struct rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

/// Prints results as they come, and the tables at the end.
class Printer {
 public:
  /// `site`: null where no pages are wanted.
  Printer(const CheckCommand& command, const std::vector<std::string>& files, Site* site)
      : command_(command), site_(site), single_(files.size() == 1), widths_{name_width(files)} {
    style_.color = wants_color();
  }

  void print(const report::TestResult& test) {
    summary_.add(test);
    if (!command_.junit_file.empty()) junit_.add(test);
    if (!test.error.empty()) std::cerr << test.error;
    if (command_.statistics) add_statistics(test);
    if (site_ != nullptr) add_page(test);
    if (command_.format == OutputFormat::Herd) {
      log(test);
    } else if (command_.format == OutputFormat::Json) {
      json_.push_back(report::test_json(test, {command_.witness, command_.statistics}));
    } else {
      lines(test);
    }
  }

  /// The tables, the JSON document, the JUnit file. False: the file could not be written.
  bool finish(bool interrupted) {
    if (command_.format == OutputFormat::Json) {
      std::cout << report::json_document(AMBIT_VERSION, json_);
    } else if (command_.format == OutputFormat::Text && !command_.quiet) {
      tables();
    }
    if (interrupted)
      std::cerr << fmt::format("interrupted: {} of {} tests not run\n", summary_.not_run(), summary_.tests());
    std::cout.flush();
    const bool has_junit = command_.junit_file.empty() || write_junit();
    return write_site(interrupted) && has_junit;
  }

  int exit_code() const {
    if (summary_.has_internal_error()) return kInternalError;
    if (summary_.has_bad_input()) return kBadInput;
    if (summary_.count(Status::Fail) > 0) return kFailed;
    return summary_.count(Status::Unknown) > 0 || summary_.not_run() > 0 || is_log_incomplete_ ? kUnknown : kOk;
  }

 private:
  /// The log on standard output; what is not as expected on standard error.
  void log(const report::TestResult& test) {
    for (const report::ModelResult& result : test.results) {
      std::cout << report::herd_log(test, result, command_.statistics ? result.milliseconds / 1000 : 0);
      if (!result.termination && !report::is_decided(result)) is_log_incomplete_ = true;
      const Status status = result.judgement.status;
      if (status == Status::Fail || status == Status::Unknown) {
        std::cerr << report::result_line(test, result, {}, widths_);
      }
    }
    std::cout.flush();
  }

  void lines(const report::TestResult& test) {
    if (!test.was_run) return;
    if (test.results.empty() && !test.error.empty()) {
      std::cout << style_.status(Status::Error, report::pad("ERROR", 7)) << "  " << test.file << "\n";
    }
    for (const report::ModelResult& result : test.results) widths_.model = std::max(widths_.model, result.model.size());
    for (const report::ModelResult& result : test.results) {
      const Status status = result.judgement.status;
      const bool is_good = status == Status::Ok || status == Status::NothingExpected;
      if (command_.quiet && is_good) continue;
      std::cout << report::result_line(test, result, style_, widths_);
      if (command_.quiet || !result.has_verdict()) continue;
      if (single_ || command_.witness || status == Status::Fail) {
        const auto detail = command_.witness ? report::Detail::Witnesses : report::Detail::Witness;
        std::cout << report::verdict_text(test, result, style_, detail) << "\n";
      }
      if (single_ && command_.statistics) {
        std::cout << report::statistics_text(result.statistics, result.milliseconds, 2) << "\n";
      }
    }
    std::cout.flush();
  }

  void tables() {
    const std::string labels = report_labels();
    if (!labels.empty()) std::cout << "\n" << labels;
    if (!single_) {
      const std::string statuses = summary_.status_table(style_);
      if (!statuses.empty()) std::cout << "\n" << statuses;
      std::cout << "\n" << summary_.one_line(style_);
    }
    if (command_.statistics) {
      total_.values["memory.peak_mib"] = peak_memory();
      std::cout << "\nstatistics of all verdicts\n" << report::statistics_text(total_, milliseconds_, 2);
    }
  }

  std::string report_labels() const { return single_ ? std::string() : summary_.label_tables(style_); }

  void add_statistics(const report::TestResult& test) {
    for (const report::ModelResult& result : test.results) {
      milliseconds_ += result.milliseconds;
      for (const auto& [name, value] : result.statistics.values) total_.add(name, value);
    }
  }

  void add_page(const report::TestResult& test) {
    if (!test.was_run) return index_.add(test, "");
    index_.add(test, site_->add({report::page_of(test), test.program, rules_to_explain(test), {}, {}}));
  }

  /// A model that is not as expected comes first.
  static parser::RulesPtr rules_to_explain(const report::TestResult& test) {
    std::vector<parser::RulesPtr> models;
    std::vector<std::optional<bool>> races;
    for (const report::ModelResult& result : test.results) {
      if (!result.verdict) continue;
      if (result.judgement.status == Status::Fail) return result.verdict->rules;
      models.push_back(result.verdict->rules);
      races.push_back(known(result.verdict->race));
    }
    if (models.empty()) return nullptr;
    const auto& labels = test.program->labels;
    return model_to_explain(models, races, labels.empty() ? std::nullopt : std::optional(labels.front().race));
  }

  static std::optional<bool> known(events::Possibility possibility) {
    if (possibility == events::Possibility::Unknown) return std::nullopt;
    return possibility == events::Possibility::Possible;
  }

  bool write_site(bool interrupted) {
    if (site_ == nullptr) return true;
    if (!site_->write_pages()) return false;
    std::vector<std::string> notes = site_->notes();
    if (interrupted) {
      notes.push_back(
          fmt::format("The run was interrupted: {} of {} tests were not run.", summary_.not_run(), summary_.tests()));
    }
    std::string paths;
    for (const std::string& path : command_.paths) paths += (paths.empty() ? "" : " ") + path;
    return site_->write_index(index_.page(summary_, "Models on " + paths, notes));
  }

  bool write_junit() const {
    std::ofstream out(command_.junit_file);
    out << junit_.document();
    out.close();
    if (out) return true;
    std::cerr << api::path_error(command_.junit_file, "cannot write the JUnit file").render();
    return false;
  }

  const CheckCommand& command_;
  Site* site_;
  report::CheckIndex index_;
  bool single_;
  report::LineWidths widths_;
  report::Style style_;
  report::Summary summary_;
  report::JUnit junit_;
  std::vector<std::string> json_;
  Statistics total_;
  double milliseconds_ = 0;
  bool is_log_incomplete_ = false;
};

Progress::Mode progress_mode(const CheckCommand& command) {
  if (command.quiet) return Progress::Mode::Silent;
  return is_terminal(2) ? Progress::Mode::Live : Progress::Mode::Plain;
}

int run_check(const CheckCommand& command) {
  const Result<std::vector<std::string>> files = api::collect_files(command.paths);
  parser::ModelStore store;
  const Result<std::vector<parser::RulesPtr>> models = store.load_all(command.checking.models);
  if (!files.ok()) std::cerr << render(files.errors());
  if (!models.ok()) std::cerr << render(models.errors());
  if (!files.ok() || !models.ok()) return kBadInput;
  const std::atomic<bool>& interrupted = catch_interrupts();

  const bool shows_outcomes = files.value().size() == 1 || command.format == OutputFormat::Json;
  const OutcomesQuestion outcomes = command.format == OutputFormat::Herd ? OutcomesQuestion::Log
                                    : shows_outcomes                     ? OutcomesQuestion::WithoutCondition
                                                                         : OutcomesQuestion::Never;
  const auto make_worker = [&]() -> Pool::Worker {
    const auto runner = std::make_shared<TestRunner>(command.checking, outcomes, models.value(), store, interrupted);
    return [runner, &files](std::size_t index) { return runner->run(files.value()[index]); };
  };
  std::optional<Site> site;
  if (!command.html_folder.empty()) site.emplace(command.html_folder, progress_mode(command), interrupted);
  Printer printer(command, files.value(), site ? &*site : nullptr);
  {
    Progress progress(progress_mode(command), files.value().size());
    Pool pool(files.value().size(), command.jobs, make_worker);
    for (std::size_t i = 0; i < files.value().size(); ++i) {
      const auto show = [&](std::size_t done) { progress.show(done, files.value()[i]); };
      const Pool::Results tests = pool.take(i, show);
      progress.clear();
      for (const report::TestResult& test : tests) printer.print(test);
    }
  }
  const bool written = printer.finish(interrupted.load());
  if (!written) return printer.exit_code() == kInternalError ? kInternalError : kBadInput;
  return interrupted && printer.exit_code() == kOk ? static_cast<int>(kUnknown) : printer.exit_code();
}

}  // namespace

Action declare_check(CLI::App& command) {
  const auto options = std::make_shared<CheckCommand>();
  command
      .add_option("FILES", options->paths, "Tests (.litmus, .test, .cu), folders of tests, or - for the standard input")
      ->required()
      ->option_text("FILES|DIRS");
  add_checking_options(command, options->checking);
  add_dump_option(command, options->checking);
  add_property_options(command, options->checking);
  command.add_option("-j,--jobs", options->jobs, "Tests to run at the same time")
      ->type_name("N")
      ->check(CLI::Range(1U, 1024U).description(""))
      ->capture_default_str();
  add_format_options(command, options->format);
  const auto is_named = [](const std::string& file) { return std::string(file.empty() ? "names no file" : ""); };
  command.add_option("--junit", options->junit_file, "Also write a JUnit XML file")
      ->type_name("FILE")
      ->check(CLI::Validator(is_named, ""));
  command
      .add_option("--html", options->html_folder, "Also write pages into this folder, with explanations and pictures")
      ->type_name("DIR")
      ->check(CLI::Validator(folder_can_be_made, ""));
  command.add_flag("--stats", options->statistics, "Print times and counters");
  command.add_flag("-q,--quiet", options->quiet, "Print only what is not as expected");
  command.add_flag("-w,--witness", options->witness, "Print an execution for the condition and for each race");
  return [options] {
    require_sense(options->format, options->checking);
    if (options->quiet && options->statistics && options->format == OutputFormat::Text) {
      throw CLI::ValidationError("--stats", "--quiet leaves the statistics out");
    }
    return run_check(*options);
  };
}

}  // namespace ambit::cli
