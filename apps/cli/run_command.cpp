#include "apps/cli/run_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <functional>
#include <iostream>
#include <memory>

#include "api/files.h"
#include "apps/cli/commands.h"
#include "apps/cli/exit_code.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/options.h"
#include "apps/cli/progress.h"
#include "apps/cli/run_hardware.h"
#include "apps/cli/run_simulator.h"
#include "report/json/histogram_json.h"
#include "report/json/verdict_json.h"
#include "report/results/run_result.h"
#include "report/text/histogram_text.h"

namespace ambit::cli {
namespace {

int exit_code_of(const std::vector<report::RunResult>& results) {
  using Result = const report::RunResult&;
  const auto any = [&](auto holds) { return std::any_of(results.begin(), results.end(), holds); };
  if (any([](Result result) { return !result.error.empty() || !result.trouble.empty(); })) return kBadInput;
  if (any([](Result result) { return report::has_forbidden(result); })) return kFailed;
  const bool unknown = any([](Result result) {
    const bool has_open_model = std::any_of(result.models.begin(), result.models.end(),
                                            [](const report::AllowedOutcomes& model) { return !model.is_complete; });
    const bool has_idle_detector = std::any_of(result.detections.begin(), result.detections.end(),
                                               [](const report::Detections& found) { return !found.not_run.empty(); });
    return !result.was_run || result.is_interrupted || has_open_model || has_idle_detector ||
           !result.why_incomplete.empty();
  });
  return unknown ? kUnknown : kOk;
}

/// One after the other; tests that an interrupt keeps from being run are said to be so.
std::vector<report::RunResult> run_files(const RunCommand& command, const std::vector<std::string>& files,
                                         const std::atomic<bool>& interrupted,
                                         const std::function<void(const report::RunResult&)>& done) {
  Progress progress(
      is_terminal(2) && files.size() > 1 && !command.quiet ? Progress::Mode::Live : Progress::Mode::Silent,
      files.size());
  std::vector<report::RunResult> results;
  SimulatorRunner runner(command, interrupted);
  for (std::size_t i = 0; i < files.size(); ++i) {
    progress.show(i, files[i]);
    for (report::RunResult& result : runner.run(files[i])) {
      progress.clear();
      done(result);
      results.push_back(std::move(result));
    }
  }
  return results;
}

int run_tests(const RunCommand& command, const std::vector<std::string>& files) {
  const std::atomic<bool>& interrupted = catch_interrupts();
  std::vector<std::string> json;
  std::size_t not_run = 0;
  std::size_t printed = 0;
  std::string said;  // what keeps all tests from being run is said once
  const auto print = [&](const report::RunResult& result) {
    if (result.error != said) std::cerr << result.error;
    said = result.error;
    std::cerr << result.trouble;
    if (command.json) return json.push_back(report::histogram_json(result));
    if (!result.was_run) ++not_run;
    if (!result.was_run || !result.error.empty() || !result.program) return;
    if (command.quiet && !report::has_forbidden(result)) return;
    report::Style style;
    style.color = wants_color();
    std::cout << (printed++ > 0 ? "\n" : "") << report::histogram_table(result, style) << std::flush;
  };
  const std::vector<report::RunResult> results = command.backend == Backend::Cuda
                                                     ? run_on_hardware(command, files, interrupted, print)
                                                     : run_files(command, files, interrupted, print);
  if (command.json) std::cout << report::json_document(AMBIT_VERSION, json);
  if (not_run > 0) std::cerr << fmt::format("interrupted: {} tests were not run\n", not_run);
  return exit_code_of(results);
}

int run_command(const RunCommand& command) {
  const Result<std::vector<std::string>> files = api::collect_files({command.path});
  if (!files.ok()) {
    std::cerr << render(files.errors());
    return kBadInput;
  }
  if (!command.trace_of.empty() && command.trace_file.empty() && command.schedule_file.empty()) {
    std::cerr << api::path_error("--trace-of",
                                 "names the run that --trace or --schedule-out writes, and neither is given")
                     .render();
    return kBadInput;
  }
  const bool writes = !command.trace_file.empty() || !command.schedule_file.empty() || command.show;
  if (files.value().size() > 1 && writes) {
    std::cerr << api::path_error(command.path,
                                 "--trace, --schedule-out and --show are about one test, and this holds " +
                                     std::to_string(files.value().size()))
                     .render();
    return kBadInput;
  }
  return run_tests(command, files.value());
}

void add_simulator_options(CLI::App& command, RunCommand& run) {
  sim::Options& options = run.options;
  add_memory_option(command, options);
  command.add_option("--seed", options.seed, "Of random choices")->capture_default_str();
  command.add_option("--schedule", run.schedule, "random, rr, pct, exhaustive, or a schedule file to replay")
      ->capture_default_str()
      ->group(kOnSimulator);
  command.add_option("--runs", options.runs, "Runs to make")
      ->check(CLI::PositiveNumber.description(""))
      ->capture_default_str()
      ->group(kOnSimulator);
  command
      .add_option_function<std::string>(
          "--warps", [&options](const std::string& name) { options.warps = *sim::warps_from_string(name); },
          "independent or lockstep: how the lanes of a warp go on (default independent)")
      ->check(CLI::IsMember({"independent", "lockstep"}))
      ->type_name("WARPS")
      ->group(kOnSimulator);
  command.add_option("--max-steps", options.max_steps, "Bound on one run")
      ->check(CLI::PositiveNumber.description(""))
      ->capture_default_str()
      ->group(kOnSimulator);
  command.add_option("--max-states", options.max_states, "Bound on an exhaustive search")
      ->check(CLI::PositiveNumber.description(""))
      ->capture_default_str()
      ->group(kOnSimulator);
  command.add_option("--change-points", options.change_points, "pct: changes of priority in a run")
      ->check(CLI::Range(0U, 1000U).description(""))
      ->capture_default_str()
      ->group(kOnSimulator);
  command.add_option("--blocks-per-multiprocessor", options.blocks_per_multiprocessor, "gpu: blocks that share an L1")
      ->check(CLI::Range(1U, 65536U).description(""))
      ->capture_default_str()
      ->group(kOnSimulator);
  command.add_option("--store-buffer", options.store_buffer, "gpu: stores that a thread can have under way")
      ->check(CLI::Range(0U, 64U).description(""))
      ->capture_default_str()
      ->group(kOnSimulator);
}

/// Options about one run of one test.
void add_single_run_options(CLI::App& command, RunCommand& run, CLI::Option* json) {
  CLI::Option* trace = command.add_option("--trace", run.trace_file, "Write the trace of a run (.trace, .btrace)")
                           ->type_name("FILE")
                           ->group(kOnSimulator);
  CLI::Option* schedule =
      command.add_option("--schedule-out", run.schedule_file, "Write the schedule of a run, for --schedule")
          ->type_name("FILE")
          ->group(kOnSimulator);
  command.add_option("--trace-of", run.trace_of, "The run for --trace, --schedule-out: the first with this outcome")
      ->type_name("OUTCOME")
      ->group(kOnSimulator);
  command.add_flag("--show", run.show, "Step through one run")
      ->group(kOnSimulator)
      ->excludes(json)
      ->excludes(trace)
      ->excludes(schedule);
}

}  // namespace

Action declare_run(CLI::App& command) {
  const auto run = std::make_shared<RunCommand>();
  command.add_option("FILE", run->path, "A test, a folder of tests, or - for the standard input")
      ->required()
      ->option_text("FILE|DIR");
  add_backend_option(command, run->backend);
  add_simulator_options(command, *run);
  add_shard_option(command, run->hardware)->group(kOnGpu);
  add_hardware_options(command, run->hardware);
  add_in_gpu_option(command, run->hardware);
  command
      .add_option_function<std::string>(
          "-m,--model", [run](const std::string& text) { run->models = split_models(text); },
          "Mark outcomes that these models forbid")
      ->type_name("MODEL[,MODEL]");
  command.add_option("--launch", run->launch, "CUDA sources: the launch to run")->type_name("LAUNCH");
  command.add_option("-D", run->defines, "CUDA sources: a macro")->type_name("NAME[=VALUE]")->allow_extra_args(false);
  CLI::Option* json = command.add_flag("--json", run->json, "Print one JSON document");
  add_single_run_options(command, *run, json);
  command.add_flag("-q,--quiet", run->quiet, "Print only tests with an outcome that a model forbids");
  return [run, &command] {
    require_options_of(command, run->backend);
    return run_command(*run);
  };
}

}  // namespace ambit::cli
