#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "api/check/allowed_outcomes.h"
#include "api/detectors.h"
#include "core/histogram.h"
#include "core/trace.h"
#include "report/results/crossval.h"

namespace ambit::api {

/// Appends an error to a row's error text.
void add_error(report::CrossRow& row, const std::string& error);

/// A model's answer about a test.
struct ModelAnswer {
  report::CrossModel model;                  ///< the answer; its observed outcomes are not set
  std::vector<std::vector<Value>> outcomes;  ///< outcomes that the model allows, sorted
  std::string error;                         ///< empty if the check succeeded
};

/// Evaluates models and detectors on a test that ran.
class CrossvalJudge {
 public:
  explicit CrossvalJudge(const std::atomic<bool>& interrupted) : interrupted_(interrupted), models_(interrupted) {}

  /// Loads the models and chooses the detectors that process traces. Returns the text of an error, or an empty text.
  std::string prepare(const std::vector<std::string>& models, const DetectorSelection& detectors);

  /// Returns the titles of the detectors, in order.
  std::vector<std::string> detector_titles() const;
  /// Returns a hash of the rules of all models. The hash does not depend on the models' names.
  std::string rules_hash() const;
  /// Returns an empty text if this judge's models and detectors and the detectors `in_gpu` produced the row. Otherwise,
  /// returns the expected names.
  std::string misfit(const report::CrossRow& row, const std::vector<std::string>& in_gpu) const;

  /// Returns the answer of every model about a test. If a model fails, its answer contains only an error.
  std::vector<ModelAnswer> check_models(const std::shared_ptr<const Program>& program);
  /// Fills the row's counts from the histogram, and adds the models' answers.
  void add_counts(report::CrossRow& row, const Program& program, const Histogram& histogram,
                  const std::vector<ModelAnswer>& answers) const;

  /// Adds an entry for each detector to the row. Call before the first trace of the row.
  void begin_traces(report::CrossRow& row) const;
  /// Replays a trace to all detectors. `is_cut`: whether the run stopped before its end. A cut trace without reports
  /// gives no verdict.
  void replay(report::CrossRow& row, const Trace& trace, bool is_cut = false) const;

  const std::vector<parser::RulesPtr>& models() const { return models_.models(); }
  /// Returns a picture of the row's witness for Graphviz; empty if there is no witness or if the witness's detector is
  /// not selected.
  std::string timeline(const report::CrossRow& row) const;

 private:
  const std::atomic<bool>& interrupted_;
  AllowedOutcomes models_;
  std::vector<ChosenDetector> detectors_;
};

}  // namespace ambit::api
