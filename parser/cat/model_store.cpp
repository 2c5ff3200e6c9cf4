#include "parser/cat/model_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "parser/cat/load.h"
#include "parser/cat/resolve.h"
#include "parser/text/header.h"

namespace ambit::parser {
namespace {

bool is_same(const rules::Rules& a, const rules::Rules& b) {
  const auto chosen = [](const rules::ModelOption& option) { return std::pair(option.name, option.chosen); };
  return a.name == b.name && std::ranges::equal(a.options, b.options, {}, chosen, chosen);
}

/// Returns whether both paths name the same file.
bool is_same_file(const std::string& a, const std::string& b) {
  if (a == b) return true;
  if (!cat::is_model_file(a) || !cat::is_model_file(b)) return false;
  std::error_code error;
  return std::filesystem::equivalent(a, b, error) && !error;
}

/// Collects loaded models without duplicates, or all their errors.
class ModelList {
 public:
  /// Adds a model or its errors. `reference` is the requested name or file of the model.
  void take(const Result<RulesPtr>& loaded, const std::string& reference, const SourceFilePtr& origin,
            SourceSpan where) {
    if (!loaded.ok()) {
      errors_.insert(errors_.end(), loaded.errors().begin(), loaded.errors().end());
      return;
    }
    const RulesPtr& model = loaded.value();
    const auto namesake =
        std::ranges::find_if(models_, [&](const RulesPtr& other) { return other->name == model->name; });
    if (namesake != models_.end()) {
      const std::string& first = references_[static_cast<std::size_t>(namesake - models_.begin())];
      if (!is_same_file(first, reference)) {
        errors_.push_back({origin != nullptr ? origin : cat::command_line(), where,
                           fmt::format("'{}' and '{}' have the same model name {}", first, reference, model->name),
                           "rename one file so that answers are distinguishable"});
        return;
      }
    }
    if (std::ranges::any_of(models_, [&](const RulesPtr& other) { return is_same(*other, *model); })) return;
    models_.push_back(model);
    references_.push_back(reference);
  }
  Result<std::vector<RulesPtr>> finish() {
    if (!errors_.empty()) return std::move(errors_);
    return std::move(models_);
  }

 private:
  std::vector<RulesPtr> models_;
  std::vector<std::string> references_;  ///< for each model, the name or file that was requested
  Diagnostics errors_;
};

}  // namespace

Result<RulesPtr> ModelStore::load(const std::string& name, const std::map<std::string, std::string>& options,
                                  SourceFilePtr origin, SourceSpan where) {
  const bool is_file = cat::is_model_file(name);
  if (is_file && files_ == Files::Refused) {
    return Diagnostic{origin != nullptr ? origin : cat::command_line(), where, fmt::format("unknown model '{}'", name),
                      "model files are available only on the command line"};
  }
  if (is_file && files_ == Files::ReadEachTime) return load_model(name, options, std::move(origin), where);
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto key = std::pair(name, options);
  const auto found = loaded_.find(key);
  if (found != loaded_.end()) return found->second;
  Result<RulesPtr> loaded = load_model(name, options, std::move(origin), where);
  if (loaded.ok()) loaded_.emplace(key, loaded.value());
  return loaded;
}

Result<RulesPtr> ModelStore::load_reference(const std::string& reference) {
  const Result<ModelReference> parsed = parse_model_reference(reference);
  if (!parsed.ok()) return parsed.errors();
  return load(parsed.value().name, parsed.value().options);
}

Result<std::vector<RulesPtr>> ModelStore::load_all(const std::vector<std::string>& references) {
  ModelList models;
  for (const std::string& reference : references) {
    const Result<ModelReference> parsed = parse_model_reference(reference);
    models.take(load_reference(reference), parsed.ok() ? parsed.value().name : reference, nullptr, {});
  }
  return models.finish();
}

template <typename Expectations>
Result<std::vector<RulesPtr>> ModelStore::models_named(const Program& program, const Expectations& expectations) {
  ModelList models;
  for (const auto& expectation : expectations) {
    models.take(load(expectation.model, expectation.options, program.source, expectation.span), expectation.model,
                program.source, expectation.span);
  }
  return models.finish();
}

Result<std::vector<RulesPtr>> ModelStore::models_of(const Program& program) {
  if (program.expectations.empty() && program.terminations.empty()) return default_models(program);
  return models_named(program, program.expectations);
}

Result<std::vector<RulesPtr>> ModelStore::termination_models_of(const Program& program) {
  return models_named(program, program.terminations);
}

Result<std::vector<RulesPtr>> ModelStore::default_models(const Program& program) {
  const bool has_transactions = program.first_transaction().has_value();
  const bool is_ptx = program.is_compiled || program.has_columns;
  std::vector<std::string> names = {has_transactions ? "ptx-tm" : "ptx"};
  if (!is_ptx && !has_transactions) names.emplace_back("cuda-cpp");
  if (program.condition.proposition) names.emplace_back(has_transactions ? "sc-tm" : "sc");
  return load_all(names);
}

}  // namespace ambit::parser
