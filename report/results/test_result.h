#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/context.h"
#include "model/termination/termination.h"
#include "model/verdict/judgement.h"
#include "model/verdict/verdict.h"

namespace ambit::report {

/// The result for a test and a model, or for a test, a model and a scheduler.
struct ModelResult {
  /// Another value of one of the model's options, with a different verdict.
  struct Reading {
    std::string option;
    std::string value;
    std::string verdict;  ///< "Sometimes, race on s[0]"
  };

  std::string model;  ///< name from verdict::model_name; for a termination question, followed by " under SCHEDULER"
  verdict::Judgement judgement;
  /// At most one of these verdicts is set. Neither is set if the status is Error, or if the model had no question.
  std::optional<verdict::Verdict> verdict;
  std::optional<termination::TerminationVerdict> termination;
  std::string error;                  ///< rendered diagnostics or the text of an internal error
  std::string explanation;            ///< of one race, if requested (docs/reference/explain.md); otherwise empty
  std::vector<SourceSpan> explained;  ///< the accesses of that race
  std::vector<Reading> readings;      ///< if requested
  double milliseconds = 0;
  Statistics statistics;

  bool has_verdict() const { return verdict || termination; }
};

/// The results of one file.
struct TestResult {
  std::string file;                        ///< file as the user named it
  std::shared_ptr<const Program> program;  ///< null if the file is not a test
  std::string error;                       ///< rendered diagnostics of the file or its models; may be empty
  bool is_internal_error = false;          ///< whether some error is a bug in Ambit
  bool was_run = true;                     ///< false if the user interrupted before the test began
  std::vector<ModelResult> results;

  /// Returns the test's name, or the file if it is not a test.
  const std::string& name() const { return program ? program->name : file; }
};

}  // namespace ambit::report
