#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "report/results/test_result.h"
#include "report/text/style.h"

namespace ambit::report {

/// Counts results as they arrive. Keeps only the data that the tables need, so that the caller can free verdicts and
/// executions.
class Summary {
 public:
  void add(const TestResult& test);

  /// Returns a table with a row for each model and a column for each status, with a total; empty if no test was run.
  std::string status_table(const Style& style) const;
  /// Returns a table for each benchmark suite that labels tests, with a row for each test and a column for each model.
  /// A cell is "race" or "norace". A further column shows the suite's label. The last line counts agreements. Returns
  /// an empty text if no test has a label.
  std::string label_tables(const Style& style) const;
  /// Returns a summary line: "64 verdicts on 32 tests: 63 OK, 1 FAIL".
  std::string one_line(const Style& style) const;

  using Counts = std::array<std::size_t, 5>;  ///< counts of verdicts, indexed by verdict::Status
  /// The models, in the order of their first appearance.
  const std::vector<std::string>& models() const { return models_; }
  const Counts& counts(const std::string& model) const { return by_model_.at(model); }
  std::size_t count(verdict::Status status) const { return totals_[static_cast<std::size_t>(status)]; }
  std::size_t tests() const { return tests_; }
  std::size_t not_run() const { return not_run_; }
  bool has_internal_error() const { return has_internal_error_; }
  /// Returns whether a file or model could not be read.
  bool has_bad_input() const { return has_bad_input_; }

 private:
  struct LabelRow {
    std::string test;
    bool race = false;                         ///< the suite's label
    std::map<std::string, std::string> races;  ///< for each model, "race", "norace" or "?"
  };

  static std::string label_cell(const LabelRow& row, const std::string& model, const Style& style, bool& differs);
  std::string label_table(const std::string& suite, const std::vector<LabelRow>& rows, const Style& style) const;

  std::vector<std::string> models_;
  std::map<std::string, Counts> by_model_;
  Counts totals_{};
  std::map<std::string, std::vector<LabelRow>> labels_;  ///< maps each suite to its rows
  std::size_t tests_ = 0;
  std::size_t not_run_ = 0;
  bool has_internal_error_ = false;
  bool has_bad_input_ = false;
};

}  // namespace ambit::report
