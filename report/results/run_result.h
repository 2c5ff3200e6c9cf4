#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/histogram.h"
#include "core/program.h"
#include "report/results/detections.h"

namespace ambit::report {

/// The outcomes that a model allows, to compare with the observed ones.
struct AllowedOutcomes {
  std::string model;
  std::vector<std::vector<Value>> outcomes;  ///< sorted
  bool is_complete = true;                   ///< false: more outcomes may be allowed
};

/// The result of running one test on some backend.
struct RunResult {
  std::string file;                        ///< as the user gave it
  std::shared_ptr<const Program> program;  ///< absent when the file is not a test
  std::string error;                       ///< rendered diagnostics: there is no result; empty: there is
  std::string trouble;                     ///< rendered diagnostics of further failures: the counts are valid
  bool was_run = true;                     ///< false: interrupted before it began
  bool is_interrupted = false;             ///< the counts cover the runs until then
  bool is_exhaustive = false;  ///< every outcome is present; the counts are of different ends, not of sampled runs
  std::string why_incomplete;  ///< of a search for all outcomes that is not exhaustive: the bound that it reached
  bool is_search = false;      ///< a search for all outcomes, exhaustive or not
  std::string how;             ///< "memory gpu, schedule random, seed 1"
  std::vector<std::pair<std::string, std::variant<std::string, std::uint64_t>>> settings;  ///< `how` for JSON
  Histogram histogram;
  std::vector<AllowedOutcomes> models;
  std::vector<Detections> detections;  ///< of detectors that ran along; their runs are not part of the histogram
  std::vector<std::string> remarks;    ///< further remarks of the backend, a line each

  /// Returns the test's name, or the file without a program.
  const std::string& name() const { return program ? program->name : file; }
};

/// Returns whether the model forbids an observed outcome; false if the model's answer is not complete.
bool is_forbidden(const AllowedOutcomes& model, const std::vector<Value>& outcome);
bool has_forbidden(const RunResult& result);
/// Returns the questions without an answer, one sentence each: the test did not run to its end, outcomes are missing, a
/// model's answer is not complete, or a detector did not run.
std::vector<std::string> why_open(const RunResult& result);

}  // namespace ambit::report
