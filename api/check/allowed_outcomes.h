#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "core/program.h"
#include "model/verdict/verdict.h"
#include "parser/cat/model_store.h"
#include "report/results/run_result.h"

namespace ambit::api {

/// Finds the outcomes that models allow, so that they can be compared with the outcomes of runs. Each check has a limit
/// of one minute.
class AllowedOutcomes {
 public:
  /// `interrupted` must outlive this object.
  explicit AllowedOutcomes(const std::atomic<bool>& interrupted) : interrupted_(interrupted) {}

  /// Loads the models. Returns the text of an error, or an empty text.
  std::string load(const std::vector<std::string>& models);
  const std::vector<parser::RulesPtr>& models() const { return models_; }

  /// Returns a model's verdict about outcomes and, with `flags`, also about races. Returns an error if the check fails.
  Result<verdict::Verdict> check(const std::shared_ptr<const Program>& program, const parser::RulesPtr& rules,
                                 bool flags = false);
  /// Adds the outcomes that each model allows to a result. Returns the text of an error, or an empty text.
  std::string add_to(report::RunResult& result);

 private:
  const std::atomic<bool>& interrupted_;
  parser::ModelStore store_;
  std::vector<parser::RulesPtr> models_;
  verdict::Checker checker_;
};

}  // namespace ambit::api
