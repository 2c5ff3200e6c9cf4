#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <initializer_list>
#include <iostream>
#include <memory>

#include "api/detection.h"
#include "api/files.h"
#include "api/source_lines.h"
#include "apps/cli/commands.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/options.h"
#include "apps/cli/progress.h"
#include "apps/cli/remarks.h"
#include "parser/parse.h"
#include "report/json/json.h"
#include "report/text/result_texts.h"
#include "report/text/table.h"
#include "trace/open_trace.h"

namespace ambit::cli {
namespace {

struct DetectCommand {
  std::string file;
  api::DetectorSelection selection;
  sim::Options options;
  std::string launch;
  std::vector<std::string> defines;
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
  }
  std::cout << table.render() << "\n-O DETECTOR.OPTION=VALUE sets an option. The first value is the default. "
            << "docs/detectors has a page for each detector.\n";
  return kOk;
}

int status_of(const DetectCommand& command, const report::DetectionResult& result) {
  switch (api::verdict_of(result, command.selection.names != api::kAllDetectors)) {
    case api::RaceVerdict::None: return kOk;
    case api::RaceVerdict::Found: return kFailed;
    case api::RaceVerdict::Unknown: return kUnknown;
  }
  return kUnknown;
}

void print(const DetectCommand& command, std::vector<report::DetectionResult> results, api::SourceLines& lines) {
  const auto line = [&](std::string_view site) { return lines.line(site); };
  if (command.json) {
    std::cout << report::detection_json(results, line, AMBIT_VERSION);
    return;
  }
  report::Style style;
  style.color = wants_color();
  if (command.quiet) {
    for (report::DetectionResult& result : results) {
      std::erase_if(result.detectors, [](const auto& findings) { return findings.races.empty() && !findings.is_open; });
    }
    std::erase_if(results, [](const auto& result) { return result.detectors.empty(); });
  }
  for (std::size_t i = 0; i < results.size(); ++i) {
    std::cout << (i > 0 ? "\n" : "") << report::detection_text(results[i], line, style);
  }
}

/// The status of several tests of one file: bad input first, then races, then Unknown.
int worse(int a, int b) {
  for (const int status : {static_cast<int>(kBadInput), static_cast<int>(kFailed), static_cast<int>(kUnknown)}) {
    if (a == status || b == status) return status;
  }
  return kOk;
}

int detect_in_test(const DetectCommand& command, const std::vector<api::ChosenDetector>& chosen) {
  const auto source = api::read_input(command.file, interrupt_flag());
  if (!source.ok()) {
    std::cerr << render(source.errors());
    return kBadInput;
  }
  parser::ProgramOptions reading;
  if (!command.launch.empty()) reading.launch = command.launch;
  reading.defines = command.defines;
  const auto programs = parser::parse_programs(source.value(), reading);
  if (!programs.ok()) {
    std::cerr << render(programs.errors());
    return kBadInput;
  }
  const std::atomic<bool>& interrupted = catch_interrupts();
  api::SourceLines lines;
  lines.add(source.value());
  int status = kOk;
  std::vector<report::DetectionResult> results;
  for (const auto& program : programs.value()) {
    print_remarks(*program);
    auto result = api::detect_in_runs(program, program->name, chosen, command.options, interrupted);
    if (!result.ok()) {
      std::cerr << render(result.errors());
      status = worse(status, kBadInput);
      continue;
    }
    status = worse(status, status_of(command, result.value()));
    results.push_back(std::move(result.value()));
  }
  print(command, std::move(results), lines);
  return interrupted.load() ? worse(status, kUnknown) : status;
}

bool is_trace(const std::string& file) { return trace::is_trace_name(file) || file == "-"; }

/// Refuses the options of tests with a trace, and those of sampled schedules with all schedules.
void require_use(const CLI::App& command, const DetectCommand& given) {
  if (given.list || given.file.empty()) return;
  const auto refuse = [&](std::initializer_list<const char*> names, const char* why) {
    for (const char* name : names) {
      if (command.get_option(name)->count() > 0) throw CLI::ValidationError(name, why);
    }
  };
  if (is_trace(given.file)) {
    refuse({"--schedule", "--memory", "--runs", "--seed", "--launch", "-D"},
           "applies only to tests, and the file is a trace");
  } else if (given.options.schedule == sim::ScheduleKind::Exhaustive) {
    refuse({"--runs", "--seed"}, "has no effect with --schedule exhaustive, which runs every schedule once");
  }
}

int run_detect(const DetectCommand& command) {
  if (command.list) return list_detectors();
  if (command.file.empty()) {
    std::cerr << "error: expected a trace or a test\n  hint: ambit detect --list prints the detectors\n";
    return kBadInput;
  }
  const bool looks_at_trace = is_trace(command.file);
  const auto chosen =
      looks_at_trace ? api::chosen_trace_detectors(command.selection) : api::chosen_detectors(command.selection);
  if (!chosen.ok()) {
    std::cerr << render(chosen.errors());
    return kBadInput;
  }
  if (!looks_at_trace) return detect_in_test(command, chosen.value());
  const auto result = api::detect_in_file(command.file, chosen.value());
  if (!result.ok()) {
    std::cerr << render(result.errors());
    return kBadInput;
  }
  api::SourceLines lines;
  print(command, {result.value()}, lines);
  return status_of(command, result.value());
}

void add_run_options(CLI::App& command, sim::Options& options) {
  options.memory = sim::MemoryKind::Sc;
  options.schedule = sim::ScheduleKind::Exhaustive;
  add_choice_option(
      command, "--schedule", {"exhaustive", "random", "pct", "rr"},
      [&options](const std::string& name) { options.schedule = *sim::schedule_from_string(name); },
      "Tests: the schedules to run")
      ->default_str("exhaustive");
  add_choice_option(
      command, "--memory", {"sc", "gpu"},
      [&options](const std::string& name) { options.memory = *sim::memory_from_string(name); },
      "Tests: sc: one memory; gpu: store buffers and caches")
      ->default_str("sc");
  command.add_option("--runs", options.runs, "Tests: number of runs, unless exhaustive")
      ->check(CLI::PositiveNumber.description(""))
      ->capture_default_str();
  command.add_option("--seed", options.seed, "Tests: seed of random choices")->capture_default_str();
}

}  // namespace

Action declare_detect(CLI::App& command) {
  const auto options = std::make_shared<DetectCommand>();
  command
      .add_option("FILE", options->file,
                  "A trace (.trace, .btrace, .std; - reads text from the standard input), or a test")
      ->option_text("TRACE|TEST");
  add_detector_options(command, options->selection);
  add_run_options(command, options->options);
  command.add_option("--launch", options->launch, "CUDA sources: the launch to run")->type_name("LAUNCH");
  command.add_option("-D", options->defines, "CUDA sources: define a macro")
      ->type_name("NAME[=VALUE]")
      ->allow_extra_args(false);
  command.add_flag("--list", options->list, "List the detectors and their options");
  command.add_flag("--json", options->json, "Print one JSON document");
  command.add_flag("-q,--quiet", options->quiet, "Print only the detectors that found a race or gave up");
  return [&command, options] {
    require_use(command, *options);
    return run_detect(*options);
  };
}

}  // namespace ambit::cli
