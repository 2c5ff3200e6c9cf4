#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "apps/cli/options.h"
#include "parser/cat/model_store.h"
#include "report/results/test_result.h"

namespace ambit::cli {

/// When the set of all outcomes is asked for.
enum class OutcomesQuestion {
  Never,
  WithoutCondition,  ///< of tests that have no condition, besides the other questions
  Only,              ///< of every test, and nothing else
  Log,               ///< of every test, with the number of executions where it is cheap, besides the other questions
};

/// Runs tests one after the other: reads, parses, asks every model, sets the verdicts against the expectations. One
/// object a thread.
class TestRunner {
 public:
  /// Without `models` (empty) each test says which models it wants. All references must outlive the runner.
  TestRunner(const CheckingOptions& options, OutcomesQuestion outcomes, const std::vector<parser::RulesPtr>& models,
             parser::ModelStore& store, const std::atomic<bool>& cancelled)
      : options_(options), outcomes_(outcomes), models_(models), store_(store), cancelled_(cancelled) {}

  /// The tests of a file, at least one. Never throws: an internal error becomes part of the result.
  std::vector<report::TestResult> run(const std::string& file);

 private:
  void run_program(report::TestResult& test);
  Result<std::vector<parser::RulesPtr>> ordinary_models(const Program& program) const;
  Result<std::vector<parser::RulesPtr>> termination_models(const Program& program) const;
  std::vector<Scheduler> schedulers_of(const Program& program, const rules::Rules& rules) const;
  static void add_result(report::TestResult& test, const std::string& model,
                         const std::function<report::ModelResult()>& run);
  report::ModelResult run_model(report::TestResult& test, const parser::RulesPtr& rules);
  report::ModelResult run_termination(report::TestResult& test, const parser::RulesPtr& rules, Scheduler scheduler);
  verdict::CheckOptions engine_options() const;
  verdict::CheckOptions check_options(const Program& program, const rules::Rules& rules) const;
  void prepare(Context& context, const report::TestResult& test, const std::string& model) const;
  /// Hands the statistics over; queries that were not written become the test's error.
  static void take_statistics(report::TestResult& test, report::ModelResult& result, Context& context);

  const CheckingOptions& options_;
  OutcomesQuestion outcomes_;
  const std::vector<parser::RulesPtr>& models_;
  parser::ModelStore& store_;
  const std::atomic<bool>& cancelled_;
  verdict::Checker checker_;
};

}  // namespace ambit::cli
