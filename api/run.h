#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/hardware.h"
#include "api/source_reading.h"
#include "core/source.h"
#include "parser/parse.h"
#include "report/results/run_result.h"
#include "runner/sim/schedule_file.h"

namespace ambit::api {

/// The backend that runs the tests.
enum class Backend : std::uint8_t {
  Sim,   ///< the built-in simulator
  Cuda,  ///< a GPU
};

/// Replaces a run on the simulator to show it step by step. Returns the text of an error; empty: none.
using ShowRun = std::function<std::string(const std::shared_ptr<const Program>&, const sim::Options&,
                                          const std::optional<sim::Schedule>&)>;

/// Tests to run, and how (docs/cli.md, `ambit run`).
struct RunRequest {
  std::string path;  ///< a file, a folder, or "-"
  parser::ProgramOptions source;
  ReadingOptions reading;  ///< of CUDA sources
  Backend backend = Backend::Sim;
  sim::Options simulator;           ///< `seed` applies to both backends
  std::uint32_t attempts = 0;       ///< Sim: of each transaction with HardwareOptions::run.stm; 0: no limit
  std::string schedule = "random";  ///< a kind, or a schedule file
  HardwareOptions hardware;
  std::vector<std::string> models;
  std::string trace_file;     ///< empty: none; "-": the standard output
  std::string schedule_file;  ///< empty: none; "-": the standard output
  std::string trace_of;       ///< the outcome whose first run goes to these files; empty: the first run
  ShowRun show;               ///< empty: the test is run

  /// Returns whether the request needs a single test.
  bool is_about_one_test() const { return !trace_file.empty() || !schedule_file.empty() || show; }
};

/// Callbacks while tests run.
struct RunEvents {
  std::function<void(std::size_t done, std::size_t all, const std::string& current)> on_progress;
  std::function<void(const report::RunResult&)> on_result;  ///< in the order of the tests
};

/// Runs the tests one after the other. Also passes each result to `events.on_result` as soon as it is available. The
/// results of tests that did not begin before `interrupted` was set say so. Errors: options of the request that
/// contradict each other; errors of single tests are in their results.
Result<std::vector<report::RunResult>> run_tests(const RunRequest& request, const RunEvents& events,
                                                 const std::atomic<bool>& interrupted);

}  // namespace ambit::api
