#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>

#include "api/hardware/run.h"
#include "apps/cli/backend.h"
#include "apps/cli/commands.h"
#include "apps/cli/hardware_options.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/options.h"
#include "apps/cli/progress.h"
#include "apps/cli/remarks.h"
#include "apps/cli/show.h"
#include "apps/cli/terminal.h"
#include "report/json/json.h"
#include "report/text/result_texts.h"

namespace ambit::cli {
namespace {

struct RunCommand {
  api::RunRequest request;
  bool json = false;
  bool quiet = false;
  bool show = false;

  bool writes_to_output() const { return request.trace_file == "-" || request.schedule_file == "-"; }
};

int exit_code_of(const std::vector<report::RunResult>& results) {
  const auto has_error = [](const auto& result) { return !result.error.empty() || !result.trouble.empty(); };
  if (std::ranges::any_of(results, has_error)) return kBadInput;
  if (std::ranges::any_of(results, report::has_forbidden)) return kFailed;
  const auto is_open = [](const auto& result) { return !report::why_open(result).empty(); };
  return std::ranges::any_of(results, is_open) ? kUnknown : kOk;
}

/// Prints results and progress while tests run.
class RunPrinter {
 public:
  explicit RunPrinter(const RunCommand& command) : command_(command) {}

  void show_progress(std::size_t done, std::size_t all, const std::string& current) {
    if (!progress_) {
      const bool is_live =
          is_terminal(2) && !command_.quiet && (all > 1 || command_.request.backend == api::Backend::Cuda);
      progress_.emplace(is_live ? Progress::Mode::Live : Progress::Mode::Silent, all);
    }
    progress_->show(done, current);
  }

  void print(const report::RunResult& result) {
    if (progress_) progress_->clear();
    if (result.error != last_error_) std::cerr << result.error;  // prints an error only once if all tests have it
    last_error_ = result.error;
    std::cerr << result.trouble;
    if (result.program) print_remarks(*result.program);
    if (command_.json) return json_.push_back(report::histogram_json(result));
    if (!result.was_run) ++not_run_;
    if (!result.was_run || !result.error.empty() || !result.program) return;
    // The output of --trace - or --schedule-out - must be the only text on the standard output.
    std::ostream& out = command_.writes_to_output() ? std::cerr : std::cout;
    const report::Style style = command_.writes_to_output() ? report::Style{} : style_;
    if (command_.quiet && !report::has_forbidden(result)) {
      out << fitted(report::open_line(result, style)) << std::flush;
      return;
    }
    out << (printed_++ > 0 ? "\n" : "") << fitted(report::histogram_table(result, style)) << std::flush;
  }

  void finish() const {
    if (command_.json) std::cout << report::json_document(AMBIT_VERSION, json_);
    if (not_run_ > 0) std::cerr << fmt::format("interrupted: {} tests did not run\n", not_run_);
  }

 private:
  const RunCommand& command_;
  report::Style style_ = output_style();
  std::optional<Progress> progress_;
  std::vector<std::string> json_;
  std::string last_error_;
  std::size_t not_run_ = 0;
  std::size_t printed_ = 0;
};

int run_command(RunCommand command) {
  if (command.show) {
    command.request.show = [](const auto& program, const auto& options, const auto& schedule) {
      print_remarks(*program);
      return show_run(program, options, schedule, std::cin, std::cout);
    };
  }
  RunPrinter printer(command);
  const auto results =
      api::run_tests(command.request,
                     {.on_progress = [&](std::size_t done, std::size_t all,
                                         const std::string& current) { printer.show_progress(done, all, current); },
                      .on_result = [&](const report::RunResult& result) { printer.print(result); }},
                     catch_interrupts());
  if (!results.ok()) {
    std::cerr << render(results.errors());
    return kBadInput;
  }
  printer.finish();
  return exit_code_of(results.value());
}

void add_simulator_options(Command command, api::RunRequest& run) {
  sim::Options& options = run.simulator;
  add_memory_option(command, options);
  command.option("--seed", options.seed, "Seed of random choices").show_default();
  command.option("--schedule", run.schedule, "The schedules to run; FILE: a schedule to replay")
      .show_default()
      .value_name("random|rr|pct|exhaustive|FILE")
      .group(kOnSimulator);
  command.option("--runs", options.runs, "Number of runs").positive().show_default().group(kOnSimulator);
  add_warps_options(command, options, kOnSimulator);
  command.option("--max-steps", options.max_steps, "Maximum steps of one run")
      .positive()
      .show_default()
      .group(kOnSimulator);
  command.option("--max-states", options.max_states, "Maximum states of an exhaustive search")
      .positive()
      .show_default()
      .group(kOnSimulator);
  command.option("--change-points", options.change_points, "pct: priority changes in a run")
      .range(0, 1000)
      .show_default()
      .group(kOnSimulator);
  command
      .option("--blocks-per-multiprocessor", options.blocks_per_multiprocessor,
              "gpu: number of blocks that share "
              "an L1")
      .range(1, 65536)
      .show_default()
      .group(kOnSimulator);
  command.option("--store-buffer", options.store_buffer, "gpu: maximum number of pending stores of a thread")
      .range(0, 64)
      .show_default()
      .group(kOnSimulator);
}

/// Rejects --runs and --seed for an exhaustive search. Both options would have no effect, because the search runs each
/// schedule once.
void require_schedule_options(Command command, const std::string& schedule) {
  if (schedule != sim::to_string(sim::ScheduleKind::Exhaustive)) return;
  for (const char* name : {"--runs", "--seed"}) {
    if (!command.find_option(name).is_given()) continue;
    throw UsageError(name, "has no effect with --schedule exhaustive, which runs every schedule once");
  }
}

/// For Option::check: accepts a file name to which `run` can write a trace. The extension of the file's name selects
/// the format, as for `ambit detect`. A trace written to a device or a pipe is always text.
std::string trace_or_output(const std::string& file) {
  std::string problem = file_or_output(file);
  std::error_code error;
  const bool is_device = std::filesystem::exists(file, error) && !std::filesystem::is_regular_file(file, error);
  if (!problem.empty() || file == "-" || is_device || file.ends_with(".trace") || file.ends_with(".btrace")) {
    return problem;
  }
  return "expected a name that ends in .trace (text) or .btrace, found '" + file + "'";
}

/// Throws a usage error if an output file is also the input.
void require_other_file(const char* option, const std::string& file, const std::string& input) {
  std::error_code error;
  if (!file.empty() && std::filesystem::equivalent(file, input, error)) {
    throw UsageError(option, "'" + file + "' is the test");
  }
}

/// Declares the options that concern a single run of a single test.
void add_single_run_options(Command command, RunCommand& run, Option json) {
  const Option trace = command
                           .option("--trace", run.request.trace_file,
                                   "Write the trace of one run to this file (.trace, .btrace; -: the standard output)")
                           .value_name("FILE")
                           .check(trace_or_output)
                           .group(kOnSimulator);
  const Option schedule = command
                              .option("--schedule-out", run.request.schedule_file,
                                      "Write the schedule of one run to this file, for --schedule")
                              .value_name("FILE")
                              .check(file_or_output)
                              .group(kOnSimulator);
  command
      .option("--trace-of", run.request.trace_of,
              "Choose the first run with this outcome for --trace and --schedule-out")
      .value_name("OUTCOME")
      .group(kOnSimulator);
  command.flag("--show", run.show, "Show one run step by step")
      .group(kOnSimulator)
      .excludes(json)
      .excludes(trace)
      .excludes(schedule);
}

}  // namespace

Action declare_run(Command command) {
  const auto run = std::make_shared<RunCommand>();
  command.argument("FILE", run->request.path, "A test, a folder of tests, or - for the standard input")
      .required()
      .shown_as("FILE|DIR");
  add_backend_option(command, run->request.backend);
  add_simulator_options(command, run->request);
  add_shard_option(command, run->request.hardware.shard, run->request.hardware.shards).group(kOnGpu);
  add_hardware_options(command, run->request.hardware);
  add_in_gpu_option(command, run->request.hardware);
  const Option stm = add_stm_option(command, run->request.hardware.run.stm);
  add_attempts_option(command, run->request.attempts, stm).group(kOnSimulator);
  command
      .option(
          "-m,--model", [run](const std::string& text) { run->request.models = split_models(text); },
          "Mark outcomes that these models forbid")
      .value_name("MODEL[,MODEL]");
  command
      .option("--launch", run->request.source.launch,
              "CUDA sources (.cu), PTX modules (.ptx): the launch to run, 'kernel<<<2, 64>>>(int data[64] = 1, 5)'")
      .value_name("LAUNCH");
  add_reading_options(command, run->request.reading);
  command.option("-D", run->request.source.defines, "CUDA sources (.cu): a macro")
      .value_name("NAME[=VALUE]")
      .one_value_each();
  const Option json = command.flag("--json", run->json, "Print one JSON document");
  add_single_run_options(command, *run, json);
  command.flag("-q,--quiet", run->quiet,
               "Print only tests that showed a forbidden outcome, and a line for each test without an answer");
  return [command, run] {
    require_options_of(command, run->request.backend);
    require_schedule_options(command, run->request.schedule);
    if (run->json && run->writes_to_output()) {
      throw UsageError("--json", "cannot be combined with --trace - or --schedule-out -");
    }
    require_other_file("--schedule-out", run->request.schedule_file, run->request.path);
    return run_command(*run);
  };
}

}  // namespace ambit::cli
