#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/context.h"
#include "model/termination/termination.h"
#include "model/verdict/judgement.h"
#include "model/verdict/verdict.h"

namespace ambit::report {

/// The result for a test and a model. A result about termination also has a scheduler.
struct ModelResult {
  /// A verdict under another value of a model option. It differs from the verdict under the chosen option value.
  struct Reading {
    std::string option;
    std::string value;
    std::string verdict;  ///< "Sometimes, race on s[0]"
  };

  std::string model;  ///< the model's name (verdict::model_name), for termination followed by " under SCHEDULER"
  verdict::Judgement judgement;
  /// At most one of `verdict` and `termination` is set. Neither is set if the status is Error, or if the test asks
  /// nothing of the model.
  std::optional<verdict::Verdict> verdict;
  std::optional<termination::TerminationVerdict> termination;
  std::string error;                  ///< rendered diagnostics or the text of an internal error
  std::string explanation;            ///< explanation of one race (docs/reference/explain.md); empty unless requested
  std::vector<SourceSpan> explained;  ///< the accesses of the explained race
  std::vector<Reading> readings;      ///< empty unless requested
  double milliseconds = 0;
  Statistics statistics;

  bool has_verdict() const { return verdict || termination; }
};

/// The results of one file.
struct TestResult {
  std::string file;                        ///< file as the user named it
  std::shared_ptr<const Program> program;  ///< null if the file is not a test
  std::string error;                       ///< rendered errors in the file or its models; may be empty
  bool is_internal_error = false;          ///< whether `error` reports a bug in Ambit
  bool was_run = true;                     ///< false if the user interrupted before the test began
  bool has_siblings = false;               ///< whether the file holds other tests
  std::vector<ModelResult> results;

  /// Returns the test's name, or the file if it is not a test.
  const std::string& name() const { return program ? program->name : file; }
};

}  // namespace ambit::report
