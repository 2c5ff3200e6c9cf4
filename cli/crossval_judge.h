#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "cli/detector_options.h"
#include "core/histogram.h"
#include "core/trace.h"
#include "model/verdict/verdict.h"
#include "parser/model_store.h"
#include "report/crossval.h"

namespace ambit::cli {

/// A trace as text: two runs are told apart by it.
std::string text_of(const Trace& trace);

/// Says of a test that was run what models and detectors think of it.
class CrossvalJudge {
 public:
  explicit CrossvalJudge(const std::atomic<bool>& interrupted) : interrupted_(interrupted) {}

  /// Loads the models and picks the detectors that look at traces. The text of an error; empty: none.
  std::string prepare(const std::vector<std::string>& models, const DetectorSelection& detectors);

  /// Titles of the detectors, in order.
  std::vector<std::string> detector_titles() const;

  /// Asks every model, and fills the row's counts from the histogram.
  void ask_models(report::CrossRow& row, const std::shared_ptr<const Program>& program, const Histogram& histogram);

  /// Declares the detectors in the row, before its first trace.
  void begin_traces(report::CrossRow& row) const;
  /// Replays one more trace to all detectors.
  void replay(report::CrossRow& row, const Trace& trace) const;

  const std::vector<parser::RulesPtr>& models() const { return models_; }
  /// The row's witness as a picture for Graphviz; empty: there is none, or its detector is not among those asked.
  std::string timeline(const report::CrossRow& row) const;

 private:
  void ask(report::CrossRow& row, const std::shared_ptr<const Program>& program, const parser::RulesPtr& rules,
           const Histogram& histogram);

  const std::atomic<bool>& interrupted_;
  parser::ModelStore store_;
  std::vector<parser::RulesPtr> models_;
  std::vector<ChosenDetector> detectors_;
  verdict::Checker checker_;
};

}  // namespace ambit::cli
