#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "api/allowed_outcomes.h"
#include "api/detectors.h"
#include "core/histogram.h"
#include "core/trace.h"
#include "report/results/crossval.h"

namespace ambit::api {

/// Appends an error to the errors of a row.
void add_error(report::CrossRow& row, const std::string& error);

/// A model's answer about a test.
struct ModelAnswer {
  report::CrossModel model;                  ///< without the observed outcomes
  std::vector<std::vector<Value>> outcomes;  ///< allowed by the model, sorted
  std::string error;                         ///< empty: none
};

/// Asks models and detectors about a test that ran.
class CrossvalJudge {
 public:
  explicit CrossvalJudge(const std::atomic<bool>& interrupted) : interrupted_(interrupted), models_(interrupted) {}

  /// Loads the models and chooses the detectors that process traces. Returns the text of an error; empty: none.
  std::string prepare(const std::vector<std::string>& models, const DetectorSelection& detectors);

  /// Returns the titles of the detectors, in order.
  std::vector<std::string> detector_titles() const;
  /// Returns a hash of the rules of all models, which does not depend on their names.
  std::string rules_hash() const;
  /// Returns why a row does not belong to these models, detectors and detectors inside the kernel; empty: it does.
  std::string misfit(const report::CrossRow& row, const std::vector<std::string>& in_gpu) const;

  /// Returns the answer of every model about a test. A model that fails has no answer.
  std::vector<ModelAnswer> check_models(const std::shared_ptr<const Program>& program);
  /// Fills the row's counts from the histogram, and adds the models' answers.
  void add_counts(report::CrossRow& row, const Program& program, const Histogram& histogram,
                  const std::vector<ModelAnswer>& answers) const;

  /// Declares the detectors in the row, before its first trace.
  void begin_traces(report::CrossRow& row) const;
  /// Replays a trace to all detectors. `is_cut`: the run stopped before its end, so the absence of a report is no
  /// verdict.
  void replay(report::CrossRow& row, const Trace& trace, bool is_cut = false) const;

  const std::vector<parser::RulesPtr>& models() const { return models_.models(); }
  /// Returns the row's witness as a picture for Graphviz; empty: there is no witness, or its detector is not selected.
  std::string timeline(const report::CrossRow& row) const;

 private:
  const std::atomic<bool>& interrupted_;
  AllowedOutcomes models_;
  std::vector<ChosenDetector> detectors_;
};

}  // namespace ambit::api
