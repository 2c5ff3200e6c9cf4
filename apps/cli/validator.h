#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "api/detectors.h"
#include "detector/detector.h"
#include "parser/cat/model_store.h"
#include "report/results/validation.h"
#include "runner/sim/simulate.h"
#include "runner/sim/simulator_options.h"

namespace ambit::cli {

/// Validates detectors on tests, one after the other. One object a thread.
class Validator {
 public:
  /// All must outlive it. `timeout` is for the runs of one test, and for one model's verdict on it. `keeps_timelines`:
  /// a run with a race is kept as a picture.
  Validator(const std::vector<api::ChosenDetector>& detectors, const std::vector<parser::RulesPtr>& models,
            const sim::Options& options, std::chrono::seconds timeout, bool keeps_timelines,
            const std::atomic<bool>& interrupted)
      : detectors_(detectors),
        models_(models),
        options_(options),
        timeout_(timeout),
        keeps_timelines_(keeps_timelines),
        interrupted_(interrupted) {}

  /// The tests of a file, at least one.
  std::vector<report::ValidationTest> run(const std::string& file);

 private:
  using ProgramPtr = std::shared_ptr<const Program>;

  void validate(const ProgramPtr& program, report::ValidationTest& test);
  void simulate(const ProgramPtr& program, report::ValidationTest& test);
  void add_finding(std::size_t number, const detector::Detector& detector, const sim::Run& run,
                   report::ValidationTest& test) const;
  void ask_program_detectors(const ProgramPtr& program, report::ValidationTest& test);
  void ask_models(const ProgramPtr& program, report::ValidationTest& test);
  void judge_expectations(const Program& program, report::ValidationTest& test) const;

  const std::vector<api::ChosenDetector>& detectors_;
  const std::vector<parser::RulesPtr>& models_;
  const sim::Options& options_;
  std::chrono::seconds timeout_;
  bool keeps_timelines_;
  const std::atomic<bool>& interrupted_;
  verdict::Checker checker_;
};

}  // namespace ambit::cli
