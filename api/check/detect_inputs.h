#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "api/check/detection.h"
#include "api/detectors.h"
#include "api/source_lines.h"
#include "api/source_reading.h"
#include "parser/text/program_options.h"
#include "report/results/detection_result.h"
#include "runner/sim/simulator_options.h"

namespace ambit::api {

/// Traces and tests to search for races (docs/reference/cli/detect.md, `ambit detect`).
struct DetectRequest {
  std::vector<std::string> paths;  ///< files, folders, or "-" for a trace as text on the standard input
  DetectorSelection selection;
  sim::Options options;  ///< how to run tests
  parser::ProgramOptions reading;
  ReadingOptions code;                         ///< how to read CUDA sources
  std::optional<std::uint64_t> only_run = {};  ///< for tests: the number of the single run to process
  double test_seconds = 60;                    ///< timeout for all tests of a file, including compilation
  std::optional<double> trace_seconds = {};    ///< timeout for a trace; no timeout if absent
};

/// Returns whether a path names a trace: it is "-" or has the extension of a trace. Any other file is a test.
bool names_trace(const std::string& path);

/// One trace, or one test of a file.
struct Detected {
  report::DetectionResult result;
  RaceVerdict verdict = RaceVerdict::Unknown;
};

/// Callbacks of detect_inputs, called in the order of the inputs.
struct DetectCallbacks {
  std::function<void(std::size_t done, std::size_t all, const std::string& file)> started;
  /// `lines` contains the text of the test, and reads other source files on demand.
  std::function<void(const Detected& detected, SourceLines& lines)> detected;
  /// Receives the file, or one of its tests, with the error.
  std::function<void(const std::string& file, const std::string& error)> failed;
  std::function<void(const Program& test)> read = {};  ///< receives each test before it runs
};

/// Processes the inputs one after the other, until `interrupted`. Processes the tests and traces of a folder in the
/// order of their paths. Returns the number of inputs that were not processed. Errors: unknown detectors or options;
/// the standard input is named twice.
Result<std::size_t> detect_inputs(const DetectRequest& request, const DetectCallbacks& callbacks,
                                  const std::atomic<bool>& interrupted);

}  // namespace ambit::api
