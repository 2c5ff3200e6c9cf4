#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "api/detectors.h"
#include "api/suites.h"
#include "parser/cat/model_store.h"
#include "report/results/validation.h"
#include "runner/sim/simulator_options.h"

namespace ambit::api {

struct ValidationOptions {
  sim::Options runs = {};
  std::chrono::seconds timeout{60};  ///< for the runs of one test, and for the verdict of one model on it
  bool keeps_timelines = false;      ///< keep a picture of a run with a race
  bool measures_cost = false;        ///< replay every run to each detector once more, alone, and measure
  bool keeps_runs = false;           ///< keep the runs and the answers for export_validation()
  unsigned threads = 1;
  Suites suites = {};  ///< gives labels to tests without a label
  /// Called about twenty times a second: the next file, and the number of finished files.
  std::function<void(std::size_t file, std::size_t done)> waiting = {};
};

/// Compares detectors with labels, models and the oracle on the tests of files. The tests are in the order of the files
/// and do not depend on the number of threads. A file that cannot be read is a test with an error.
report::Validation validate(const std::vector<std::string>& files, const std::vector<ChosenDetector>& detectors,
                            const std::vector<parser::RulesPtr>& models, const ValidationOptions& options,
                            const std::atomic<bool>& interrupted);

/// The worst status of all tests.
enum class ValidationStatus : std::uint8_t { Ok, Failed, BadInput, Unknown };
/// BadInput: a test has an error. Failed: an expectation is not met, or the oracle refutes a race that a detector
/// claims. Unknown: a test was not run, or has no verdict.
ValidationStatus status_of(const report::Validation& validation);

}  // namespace ambit::api
