#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/program.h"
#include "core/source.h"
#include "parser/cat/model_store.h"
#include "parser/text/added_expectation.h"

namespace ambit::api {

/// Expectations that the command line adds to those of every test.
struct AddedExpectations {
  std::vector<std::string> lines = {};  ///< written as after `expect` in a test: "ptx: Never, norace"
  /// Expects norace where the test itself expects nothing about races of the model.
  bool no_race = false;
  std::vector<std::string> no_race_models = {};  ///< for no_race; empty: all models of the check
};

/// Adds the expectations of the command line to tests.
class ExpectationAdder {
 public:
  /// Adds nothing. `given_models`: see make().
  explicit ExpectationAdder(std::vector<parser::RulesPtr> given_models) : given_models_(std::move(given_models)) {}
  /// `given_models`: the models of --model; empty: each test names its models. Errors: an expectation that cannot be
  /// read; a model that cannot be loaded; a model of `no_race_models` that does not define races.
  static Result<ExpectationAdder> make(const AddedExpectations& added,
                                       const std::vector<parser::RulesPtr>& given_models, parser::ModelStore& store);

  /// The test to check, and its models; empty: those that the test's expectations name.
  struct TestAndModels {
    std::shared_ptr<const Program> program;
    std::vector<parser::RulesPtr> models;
  };
  /// Errors: an expectation that does not fit the test; errors of its models. Thread-safe.
  Result<TestAndModels> add(const std::shared_ptr<const Program>& program, parser::ModelStore& store) const;

  /// Returns the models for every test; empty: each test names its own.
  const std::vector<parser::RulesPtr>& models() const { return given_models_; }

 private:
  Result<std::vector<parser::RulesPtr>> models_without_race(const Program& program,
                                                            const std::vector<parser::RulesPtr>& given_models,
                                                            parser::ModelStore& store) const;
  Result<std::vector<parser::RulesPtr>> models_for(const Program& program, parser::ModelStore& store) const;

  std::vector<parser::RulesPtr> given_models_;  ///< of --model, then the models named by the expectations
  std::vector<parser::AddedExpectation> expectations_;
  bool no_race_ = false;
  std::vector<parser::RulesPtr> no_race_models_;  ///< empty: all models of the check
  std::vector<parser::RulesPtr> files_;           ///< model files of the expectations, which tests cannot name
};

}  // namespace ambit::api
