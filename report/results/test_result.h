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

/// The result of one (test, model), or of one (test, model, scheduler).
struct ModelResult {
  /// Another value of one of the model's options, with a different verdict.
  struct Reading {
    std::string option;
    std::string value;
    std::string verdict;  ///< "Sometimes, race on s[0]"
  };

  std::string model;  ///< see verdict::model_name; for a termination question, followed by " under SCHEDULER"
  verdict::Judgement judgement;
  /// One of them; neither if the status is Error, or if the model had no question.
  std::optional<verdict::Verdict> verdict;
  std::optional<termination::TerminationVerdict> termination;
  std::string error;                  ///< rendered diagnostics or the text of an internal error
  std::string explanation;            ///< of one race, if requested (docs/explain.md); otherwise empty
  std::vector<SourceSpan> explained;  ///< the accesses of that race
  std::vector<Reading> readings;      ///< if requested
  double milliseconds = 0;
  Statistics statistics;

  bool has_verdict() const { return verdict || termination; }
};

/// The results of one file.
struct TestResult {
  std::string file;                        ///< as the user gave it
  std::shared_ptr<const Program> program;  ///< absent when the file is not a test
  std::string error;                       ///< rendered diagnostics of the file or its models; empty: none
  bool is_internal_error = false;          ///< some error is a bug in Ambit
  bool was_run = true;                     ///< false: interrupted before it began
  std::vector<ModelResult> results;

  /// Returns the test's name, or the file without a program.
  const std::string& name() const { return program ? program->name : file; }
};

}  // namespace ambit::report
