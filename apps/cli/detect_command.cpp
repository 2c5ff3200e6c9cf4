#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <initializer_list>
#include <iostream>
#include <memory>
#include <optional>

#include "api/check/detect_inputs.h"
#include "api/files.h"
#include "api/source_lines.h"
#include "apps/cli/backend.h"
#include "apps/cli/commands.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/options.h"
#include "apps/cli/progress.h"
#include "apps/cli/remarks.h"
#include "apps/cli/terminal.h"
#include "base/plural.h"
#include "detector/algorithms/registry.h"
#include "report/json/json.h"
#include "report/logs/findings.h"
#include "report/logs/sarif.h"
#include "report/text/result_texts.h"
#include "report/text/table.h"

namespace ambit::cli {
namespace {

struct DetectCommand {
  api::DetectRequest request;
  std::string sarif_file;
  bool list = false;
  bool json = false;
  bool quiet = false;
};

int list_detectors() {
  using Align = report::Table::Align;
  report::Table table({Align::Left, Align::Left});
  for (const detector::DetectorDescription& one : detector::detectors()) {
    table.add({one.name, fmt::format("{} ({})", one.summary, one.source)});
    for (const detector::DetectorOption& option : one.options) {
      table.add({"", fmt::format("{}={}: {}", option.name, fmt::join(option.values, "|"), option.meaning)});
    }
    table.add({"", one.orders_operations ? "asynchronous operations: ordered by completion (docs/reference/async.md)"
                                         : "asynchronous operations: gives up"});
  }
  std::cout << table.render() << "\n-O DETECTOR.OPTION=VALUE sets an option. The first value is the default. "
            << "docs/detectors has a page for each detector.\n";
  return kOk;
}

/// Prints results as they arrive, and the totals at the end.
class DetectPrinter {
 public:
  explicit DetectPrinter(const DetectCommand& command) : command_(command) {}

  void print(report::DetectionResult result, api::RaceVerdict verdict, api::SourceLines& lines) {
    const bool is_known = verdict != api::RaceVerdict::Unknown;
    totals_.add(result, is_known ? std::optional(verdict == api::RaceVerdict::Found) : std::nullopt);
    const auto line = [&](std::string_view site) { return lines.line(site); };
    if (command_.json) {
      json_.push_back(report::detection_json(result, line));
      return;
    }
    if (command_.quiet && is_known) {
      std::erase_if(result.detectors, [](const auto& findings) { return findings.races.empty() && !findings.is_open; });
      if (result.detectors.empty()) return;
    }
    const char* separator = printed_++ > 0 ? "\n" : "";
    std::cout << separator << fitted(report::detection_text(result, line, style_)) << std::flush;
  }

  void add_failed(const std::string& file, const std::string& error) {
    totals_.add_unread();
    if (command_.json) json_.push_back(report::failed_detection_json(file, error));
  }

  void finish() const {
    if (command_.json) std::cout << report::json_document(AMBIT_VERSION, json_, "results");
    const bool are_several = totals_.inputs().all() + totals_.unread() > 1;
    if (!command_.json && !command_.quiet && are_several) {
      std::cout << "\n" << fitted(report::detection_totals_text(totals_, style_));
    }
    std::cout.flush();
  }

  const report::DetectionTotals& totals() const { return totals_; }

 private:
  const DetectCommand& command_;
  report::Style style_ = output_style();
  report::DetectionTotals totals_;
  std::vector<std::string> json_;
  std::size_t printed_ = 0;
};

/// If all inputs are traces, rejects options for tests. If all schedules run, rejects options for sampled schedules.
void require_use(Command command, const DetectCommand& given) {
  const std::vector<std::string>& paths = given.request.paths;
  if (given.list || paths.empty()) return;
  const auto refuse = [&](std::initializer_list<const char*> names, const char* why) {
    for (const char* name : names) {
      if (command.find_option(name).is_given()) throw UsageError(name, why);
    }
  };
  if (std::ranges::all_of(paths, api::names_trace)) {
    refuse({"--schedule", "--memory", "--warps", "--conflicts", "--runs", "--seed", "--launch", "-D", "--only-run",
            "--reading", "--compiled", "--ptx", "--arch"},
           paths.size() == 1 ? "applies only to tests, and the file is a trace"
                             : "applies only to tests, and the files are traces");
  } else if (given.request.options.schedule == sim::ScheduleKind::Exhaustive) {
    refuse({"--runs", "--seed"}, "has no effect with --schedule exhaustive, which runs every schedule once");
  }
}

int run_detect(const DetectCommand& command) {
  if (command.list) return list_detectors();
  if (command.request.paths.empty()) {
    std::cerr << "error: expected a trace or a test\n  hint: ambit detect --list prints the detectors\n";
    return kBadInput;
  }
  DetectPrinter printer(command);
  report::Sarif sarif(AMBIT_VERSION, report::RaceSource::Detectors);
  bool has_failed = false;
  std::optional<Progress> progress;
  const auto started = [&](std::size_t done, std::size_t all, const std::string& file) {
    if (!progress) progress.emplace(all > 1 ? Progress::mode_of(command.quiet) : Progress::Mode::Silent, all);
    progress->show(done, file);
  };
  const auto detected = [&](const api::Detected& one, api::SourceLines& lines) {
    if (progress) progress->clear();
    const auto line = [&](std::string_view site) { return lines.line(site); };
    if (!command.sarif_file.empty()) sarif.add(report::findings_of(one.result, line));
    printer.print(one.result, one.verdict, lines);
  };
  const auto failed = [&](const std::string& file, const std::string& error) {
    if (progress) progress->clear();
    printer.add_failed(file, error);
    std::cerr << error;
    sarif.add_error(error);
    has_failed = true;
  };
  const auto read = [&](const Program& test) {
    if (progress && !test.remarks.empty()) progress->clear();
    print_remarks(test);
  };
  const std::atomic<bool>& interrupted = catch_interrupts();
  const auto not_run = api::detect_inputs(command.request, {started, detected, failed, read}, interrupted);
  if (!not_run.ok()) return bad_input(not_run.errors());
  printer.finish();
  if (not_run.value() > 0) {
    std::cerr << fmt::format("interrupted: {} not examined\n", plural(not_run.value(), "file"));
  }
  if (!command.sarif_file.empty()) {
    if (const auto error = api::write_file(command.sarif_file, sarif.document())) return bad_input({*error});
  }
  const report::DetectionTotals::Counts& found = printer.totals().inputs();
  if (has_failed) return kBadInput;
  if (found.racy > 0) return kFailed;
  return found.unknown > 0 || interrupted.load() ? kUnknown : kOk;
}

void add_run_options(Command command, sim::Options& options) {
  options.memory = sim::MemoryKind::Sc;
  options.schedule = sim::ScheduleKind::Exhaustive;
  command
      .choice(
          "--schedule", {"exhaustive", "random", "pct", "rr"},
          [&options](const std::string& name) { options.schedule = *sim::schedule_from_string(name); },
          "For tests: the schedules to run")
      .show_default("exhaustive");
  command
      .choice(
          "--memory", {"sc", "gpu"},
          [&options](const std::string& name) { options.memory = *sim::memory_from_string(name); },
          "For tests: sc has one memory; gpu has store buffers and caches")
      .show_default("sc");
  add_warps_options(command, options, "");
  command.option("--runs", options.runs, "For tests: number of runs, unless exhaustive").positive().show_default();
  command.option("--seed", options.seed, "For tests: seed for random choices").show_default();
}

}  // namespace

Action declare_detect(Command command) {
  const auto options = std::make_shared<DetectCommand>();
  command
      .argument("FILES", options->request.paths,
                "Traces (.trace, .btrace, .std; - reads text from the standard input), tests, or folders of traces and "
                "tests")
      .shown_as("FILES|DIRS");
  api::DetectRequest& request = options->request;
  command
      .option(
          "--only-run",
          [&request](const std::string& text) { request.only_run = static_cast<std::uint64_t>(std::stoull(text)); },
          "For tests: replay only run N to the detectors. Runs are counted from 0, as ambit validate reports them")
      .value_name("N")
      .range(0, 1'000'000'000'000);
  add_external_detector_options(command, request.selection);
  add_run_options(command, request.options);
  command
      .option(
          "--launch", [&request](const std::string& launch) { request.reading.launch = launch; },
          "CUDA sources (.cu), PTX modules (.ptx): the launch to run, 'kernel<<<2, 64>>>(int data[64] = 1, 5)'")
      .value_name("LAUNCH");
  add_reading_options(command, request.code);
  command.option("-D", request.reading.defines, "CUDA sources: define a macro")
      .value_name("NAME[=VALUE]")
      .one_value_each();
  add_timeout_option(command, request.test_seconds, "Seconds for one file of tests and, if given, one trace");
  command.flag("--list", options->list, "List the detectors and their options");
  command.flag("--json", options->json, "Print one JSON document");
  add_sarif_option(command, options->sarif_file);
  command.flag("-q,--quiet", options->quiet, "Print only the detectors that found a race or gave up");
  return [command, options] {
    require_use(command, *options);
    api::DetectRequest& request = options->request;
    if (command.find_option("--timeout").is_given()) request.trace_seconds = request.test_seconds;
    return run_detect(*options);
  };
}

}  // namespace ambit::cli
