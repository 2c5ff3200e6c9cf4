#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/source.h"
#include "core/program.h"
#include "parser/cat/model_store.h"
#include "parser/text/added_expectation.h"

namespace ambit::api {

/// Expectations that the command line adds to every test.
struct AddedExpectations {
  std::vector<std::string> lines = {};  ///< the texts of `expect` lines: "ptx: Never, norace".
  /// Whether to expect `norace` under each model for which the test has no expectation about races.
  bool no_race = false;
  std::vector<std::string> no_race_models = {};  ///< the models that no_race applies to; empty for all models
};

/// Adds the expectations of the command line to tests.
class ExpectationAdder {
 public:
  /// Creates an object that adds no expectations. `given_models`: see make().
  explicit ExpectationAdder(std::vector<parser::RulesPtr> given_models) : given_models_(std::move(given_models)) {}
  /// `given_models`: the models of --model; if empty, each test names its models. Errors: an unreadable expectation; a
  /// model that cannot be loaded; a model in `no_race_models` that does not define races.
  static Result<ExpectationAdder> make(const AddedExpectations& added,
                                       const std::vector<parser::RulesPtr>& given_models, parser::ModelStore& store);

  /// The test to check and its models. An empty list of models means that the test's expectations name the models.
  struct TestAndModels {
    std::shared_ptr<const Program> program;
    std::vector<parser::RulesPtr> models;
  };
  /// Adds the expectations to a test. Errors: an expectation that does not fit the test; errors of its models.
  /// Thread-safe.
  Result<TestAndModels> add(const std::shared_ptr<const Program>& program, parser::ModelStore& store) const;

  /// Returns the models for every test; empty if each test names its own models.
  const std::vector<parser::RulesPtr>& models() const { return given_models_; }

 private:
  Result<std::vector<parser::RulesPtr>> models_without_race(const Program& program,
                                                            const std::vector<parser::RulesPtr>& given_models,
                                                            parser::ModelStore& store) const;
  Result<std::vector<parser::RulesPtr>> models_for(const Program& program, parser::ModelStore& store) const;

  std::vector<parser::RulesPtr> given_models_;  ///< models of --model, then models that the expectations name
  std::vector<parser::AddedExpectation> expectations_;
  bool no_race_ = false;
  std::vector<parser::RulesPtr> no_race_models_;  ///< the models that no_race_ applies to; empty for all
  std::vector<parser::RulesPtr> files_;           ///< model files of the added expectations; tests cannot name files
};

}  // namespace ambit::api
