#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/hardware/hardware.h"
#include "api/source_reading.h"
#include "base/source.h"
#include "parser/parse.h"
#include "report/results/run_result.h"
#include "runner/sim/schedule_file.h"

namespace ambit::api {

/// The backend that runs the tests.
enum class Backend : std::uint8_t {
  Sim,   ///< the built-in simulator
  Cuda,  ///< a GPU
};

/// Shows a run of the simulator step by step, in place of the usual runs. Returns the text of an error, or an empty
/// text.
using ShowRun = std::function<std::string(const std::shared_ptr<const Program>&, const sim::Options&,
                                          const std::optional<sim::Schedule>&)>;

/// The tests to run and the options of the runs (docs/reference/cli/run.md, `ambit run`).
struct RunRequest {
  std::string path;  ///< file, folder, or "-" for the standard input
  parser::ProgramOptions source;
  ReadingOptions reading;  ///< how to read CUDA sources
  Backend backend = Backend::Sim;
  sim::Options simulator;  ///< its `seed` applies to both backends
  /// For Sim with HardwareOptions::run.stm: maximum number of attempts of each transaction; 0 for no limit.
  std::uint32_t attempts = 0;
  std::string schedule = "random";  ///< kind of schedule, or a schedule file
  HardwareOptions hardware;
  std::vector<std::string> models;
  std::string trace_file;     ///< file for a trace: empty for no trace, "-" for the standard output
  std::string schedule_file;  ///< file for a schedule: empty for no schedule, "-" for the standard output
  std::string trace_of;       ///< outcome of the run to write to the files; if empty, writes the first run
  ShowRun show;               ///< shows a run step by step; if empty, the test runs as usual

  /// Returns whether the request has options that apply only to a single test.
  bool is_about_one_test() const { return !trace_file.empty() || !schedule_file.empty() || show; }
};

/// Callbacks that run_tests() calls while tests run.
struct RunEvents {
  std::function<void(std::size_t done, std::size_t all, const std::string& current)> on_progress;
  std::function<void(const report::RunResult&)> on_result;  ///< receives the results in the order of the tests
};

/// Runs the tests one after the other, and returns their results. Also passes each result to `events.on_result` as soon
/// as it is available. If `interrupted` was set before a test began, the result of the test records the interrupt. The
/// result of a test contains the test's errors. Returns an error only if the request's options contradict each other.
Result<std::vector<report::RunResult>> run_tests(const RunRequest& request, const RunEvents& events,
                                                 const std::atomic<bool>& interrupted);

}  // namespace ambit::api
