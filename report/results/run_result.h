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

/// The outcomes that a model allows, which reports compare with the observed outcomes.
struct AllowedOutcomes {
  std::string model;
  std::vector<std::vector<Value>> outcomes;  ///< sorted
  bool is_complete = true;                   ///< false if more outcomes may be allowed
};

/// The result of running a test on a backend.
struct RunResult {
  std::string file;                        ///< file as the user named it
  std::shared_ptr<const Program> program;  ///< null if the file is not a test
  std::string error;                       ///< rendered error that prevents a result; may be empty
  /// Rendered errors that leave the counts valid; may be empty.
  std::string trouble;
  bool was_run = true;  ///< false if the user interrupted before the test began.
  /// Whether the user interrupted the runs. After an interrupt, the counts cover the runs before the interrupt.
  bool is_interrupted = false;
  /// Whether the result has every possible outcome. If so, the counts are numbers of different executions instead of
  /// sampled runs.
  bool is_exhaustive = false;
  std::string why_incomplete;  ///< the limit that stopped a search for all outcomes; empty if no limit stopped it
  bool is_search = false;      ///< whether the run searched for all outcomes (even if it did not finish)
  std::string how;             ///< settings of the run: "memory gpu, schedule random, seed 1".
  /// The settings in `how`, as the JSON output shows them.
  std::vector<std::pair<std::string, std::variant<std::string, std::uint64_t>>> settings;
  Histogram histogram;
  std::vector<AllowedOutcomes> models;
  /// Reports of detectors inside the kernel. The histogram excludes the runs with detectors.
  std::vector<Detections> detections;
  std::vector<std::string> remarks;  ///< further remarks of the backend, one line each

  /// Returns the test's name or, if the file is not a test, the file's path.
  const std::string& name() const { return program ? program->name : file; }
};

/// Returns whether the model forbids an observed outcome; false if the model's answer is incomplete.
bool is_forbidden(const AllowedOutcomes& model, const std::vector<Value>& outcome);
bool has_forbidden(const RunResult& result);
/// Returns a sentence for each open question: the test did not finish, outcomes are missing, a model's answer is
/// incomplete, or a detector did not run.
std::vector<std::string> why_open(const RunResult& result);

}  // namespace ambit::report
