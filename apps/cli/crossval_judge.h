#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "api/detectors.h"
#include "core/histogram.h"
#include "core/trace.h"
#include "model/verdict/verdict.h"
#include "parser/cat/model_store.h"
#include "report/results/crossval.h"

namespace ambit::cli {

/// Puts one more thing that went wrong into a row.
void add_error(report::CrossRow& row, const std::string& error);

/// Says of a test that was run what models and detectors think of it.
class CrossvalJudge {
 public:
  explicit CrossvalJudge(const std::atomic<bool>& interrupted) : interrupted_(interrupted) {}

  /// Loads the models and picks the detectors that look at traces. The text of an error; empty: none.
  std::string prepare(const std::vector<std::string>& models, const api::DetectorSelection& detectors);

  /// Titles of the detectors, in order.
  std::vector<std::string> detector_titles() const;
  /// Tells the rules of the models apart, whatever their names.
  std::string rules_hash() const;
  /// What keeps a row from being of those who are asked here and of these detectors inside the kernel; empty: nothing.
  std::string misfit(const report::CrossRow& row, const std::vector<std::string>& in_gpu) const;

  /// Fills the row's counts from the histogram, and asks every model. One that fails is in the row without an answer.
  void ask_models(report::CrossRow& row, const std::shared_ptr<const Program>& program, const Histogram& histogram);

  /// Declares the detectors in the row, before its first trace.
  void begin_traces(report::CrossRow& row) const;
  /// Replays one more trace to all detectors. `is_cut`: the run was stopped before its end, so that no report says
  /// nothing of it.
  void replay(report::CrossRow& row, const Trace& trace, bool is_cut = false) const;

  const std::vector<parser::RulesPtr>& models() const { return models_; }
  /// The row's witness as a picture for Graphviz; empty: there is none, or its detector is not among those asked.
  std::string timeline(const report::CrossRow& row) const;

 private:
  void ask(report::CrossRow& row, const std::shared_ptr<const Program>& program, const parser::RulesPtr& rules,
           const Histogram& histogram);

  const std::atomic<bool>& interrupted_;
  parser::ModelStore store_;
  std::vector<parser::RulesPtr> models_;
  std::vector<api::ChosenDetector> detectors_;
  verdict::Checker checker_;
};

}  // namespace ambit::cli
