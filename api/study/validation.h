#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "api/detectors.h"
#include "api/study/suites.h"
#include "parser/cat/model_store.h"
#include "report/results/validation.h"
#include "runner/sim/simulator_options.h"

namespace ambit::api {

struct ValidationOptions {
  sim::Options runs = {};
  std::chrono::seconds timeout{60};  ///< time limit for the runs of one test, and for each model's check of the test
  bool keeps_timelines = false;      ///< whether to keep a picture of a racy run
  /// Whether to measure each detector's cost by replaying every run once more to this detector alone.
  bool measures_cost = false;
  bool keeps_runs = false;  ///< whether to keep the runs and the answers for export_validation()
  unsigned threads = 1;
  Suites suites = {};  ///< labels for tests that have no label
  /// Called about twenty times a second with the next file and the number of finished files.
  std::function<void(std::size_t file, std::size_t done)> waiting = {};
};

/// Compares detectors with labels, models and the oracle on the tests of files. The tests of the
/// result are in the order of the files. The result does not depend on the number of threads. An unreadable file counts
/// as a test with an error.
report::Validation validate(const std::vector<std::string>& files, const std::vector<ChosenDetector>& detectors,
                            const std::vector<parser::RulesPtr>& models, const ValidationOptions& options,
                            const std::atomic<bool>& interrupted);

/// The status of a validation as a whole.
enum class ValidationStatus : std::uint8_t { Ok, Failed, BadInput, Unknown };
/// Returns BadInput if a test has an error; Failed if an expectation is not met, or if the oracle refutes a race that a
/// detector claims; Unknown if a test was not run or has no verdict.
ValidationStatus status_of(const report::Validation& validation);

}  // namespace ambit::api
