#include "api/check/added_expectations.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "api/files.h"
#include "model/verdict/judgement.h"
#include "model/verdict/races.h"

namespace ambit::api {
namespace {

using Models = std::vector<parser::RulesPtr>;

constexpr const char* kFailOnRace = "--fail-on-race";

void add_once(Models& models, const parser::RulesPtr& model) {
  const auto is_same = [&](const parser::RulesPtr& other) {
    return verdict::model_name(*other) == verdict::model_name(*model);
  };
  if (std::ranges::none_of(models, is_same)) models.push_back(model);
}

bool is_file(const std::string& reference) { return reference.ends_with(".cat"); }

/// Returns the expectation that a program has no race under one model.
Expectation no_race_of(const rules::Rules& rules) {
  Expectation expectation;
  expectation.model = rules.name;
  for (const rules::ModelOption& option : rules.options) expectation.options.emplace(option.name, option.chosen);
  expectation.race = false;
  return expectation;
}

/// Returns the model that an expectation names: a shipped model, a file or a model given with --model.
Result<parser::RulesPtr> model_of(const parser::AddedExpectation& expectation, const Models& given_models,
                                  parser::ModelStore& store) {
  Expectation named;
  named.model = expectation.model;
  named.options = expectation.options;
  for (const parser::RulesPtr& rules : given_models) {
    if (verdict::concerns(named, *rules)) return rules;
  }
  return store.load(expectation.model, expectation.options, expectation.text);
}

bool has_race_expectation(const Program& program, const rules::Rules& rules) {
  return std::ranges::any_of(program.expectations, [&](const Expectation& expectation) {
    return expectation.race && verdict::concerns(expectation, rules);
  });
}

}  // namespace

Result<ExpectationAdder> ExpectationAdder::make(const AddedExpectations& added, const Models& given_models,
                                                parser::ModelStore& store) {
  ExpectationAdder adder(given_models);
  adder.no_race_ = added.no_race;
  Diagnostics errors;
  const auto take = [&](const parser::RulesPtr& model, const std::string& reference) {
    if (!given_models.empty()) add_once(adder.given_models_, model);
    if (is_file(reference)) add_once(adder.files_, model);
  };
  for (const std::string& line : added.lines) {
    auto read = parser::read_added_expectation(line, "--expect");
    const auto model =
        read.ok() ? model_of(read.value(), given_models, store) : Result<parser::RulesPtr>(read.errors());
    if (!model.ok()) {
      errors.insert(errors.end(), model.errors().begin(), model.errors().end());
      continue;
    }
    take(model.value(), read.value().model);
    read.value().model = model.value()->name;  // expectations of tests name the model, not the file
    adder.expectations_.push_back(std::move(read).value());
  }
  for (const std::string& reference : added.no_race_models) {
    const Result<parser::RulesPtr> model = store.load_reference(reference);
    if (!model.ok()) {
      errors.insert(errors.end(), model.errors().begin(), model.errors().end());
      continue;
    }
    if (!verdict::speaks_of_races(*model.value())) {
      errors.push_back(path_error(kFailOnRace, fmt::format("the model {} does not define races", reference)));
    }
    take(model.value(), reference);
    add_once(adder.no_race_models_, model.value());
  }
  if (!errors.empty()) return errors;
  return adder;
}

Result<ExpectationAdder::TestAndModels> ExpectationAdder::add(const std::shared_ptr<const Program>& program,
                                                              parser::ModelStore& store) const {
  if (expectations_.empty() && !no_race_) return TestAndModels{program, given_models_};
  const auto expecting = parser::with_expectations(*program, expectations_);
  if (!expecting.ok()) return expecting.errors();
  auto changed = std::make_shared<Program>(*expecting.value());
  Result<Models> models = models_for(*changed, store);
  if (!models.ok()) return models.errors();
  if (no_race_) {
    const Result<Models> without_race = models_without_race(*changed, models.value(), store);
    if (!without_race.ok()) return without_race.errors();
    for (const parser::RulesPtr& model : without_race.value()) {
      if (!has_race_expectation(*changed, *model)) changed->expectations.push_back(no_race_of(*model));
      if (!models.value().empty()) add_once(models.value(), model);
    }
  }
  return TestAndModels{std::move(changed), std::move(models).value()};
}

/// Returns the models given with --model. Without --model, the result is usually empty, because the test's own
/// expectations name the models. If an added expectation names a model file, returns the named files and the models
/// that the test names.
Result<Models> ExpectationAdder::models_for(const Program& program, parser::ModelStore& store) const {
  if (!given_models_.empty() || files_.empty()) return given_models_;
  Program without_added = program;
  std::erase_if(without_added.expectations, [](const Expectation& one) { return one.span.line == 0; });
  Models models;
  const bool has_own = !without_added.expectations.empty();
  const Result<Models> named = has_own ? store.models_of(without_added) : Result<Models>(Models{});
  if (!named.ok()) return named.errors();
  for (const parser::RulesPtr& model : named.value()) add_once(models, model);
  for (const parser::RulesPtr& model : files_) add_once(models, model);
  return models;
}

/// Returns the models that get the expectation `norace`. If the option --fail-on-race names models, returns these
/// models. If the option names no model, returns the models that define races among `given_models` or, if
/// `given_models` is empty, among the models that the test names. If none of these models defines races, returns the
/// default models that define races.
Result<Models> ExpectationAdder::models_without_race(const Program& program, const Models& given_models,
                                                     parser::ModelStore& store) const {
  if (!no_race_models_.empty()) return no_race_models_;
  const auto without_races = [](const parser::RulesPtr& model) { return !verdict::speaks_of_races(*model); };
  Result<Models> models = given_models.empty() ? store.models_of(program) : Result<Models>(given_models);
  if (!models.ok()) return models;
  std::erase_if(models.value(), without_races);
  if (models.value().empty()) models = store.default_models(program);
  if (models.ok()) std::erase_if(models.value(), without_races);
  return models;
}

}  // namespace ambit::api
