#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "core/program.h"
#include "model/rules/rules.h"

namespace ambit::parser {

using RulesPtr = std::shared_ptr<const rules::Rules>;

/// Loads each model once; tests share the models. Thread-safe.
class ModelStore {
 public:
  /// Says when to load the user's model files. ReadEachTime detects changes of the files. Refused is for requests that
  /// are not trusted.
  enum class Files : std::uint8_t { ReadOnce, ReadEachTime, Refused };

  explicit ModelStore(Files files = Files::ReadOnce) : files_(files) {}

  /// Loads a model. An error about an unknown model or option has the place `where` in `origin`, or the command line if
  /// `origin` is null.
  Result<RulesPtr> load(const std::string& name, const std::map<std::string, std::string>& options,
                        SourceFilePtr origin = nullptr, SourceSpan where = {});
  /// Loads a model by its reference, which has the syntax of the command line (parse_model_reference).
  Result<RulesPtr> load_reference(const std::string& reference);

  /// Loads the referenced models, without duplicates. Reports an error if a model cannot be loaded, or if two different
  /// models have the same name.
  Result<std::vector<RulesPtr>> load_all(const std::vector<std::string>& references);
  /// Loads every model that the program names in an expectation of an outcome or a race. If the program has no such
  /// expectation, loads the default models (default_models).
  Result<std::vector<RulesPtr>> models_of(const Program& program);
  /// Loads every model that the program names in an expectation of termination.
  Result<std::vector<RulesPtr>> termination_models_of(const Program& program);
  /// Returns the models for a test if neither the command line nor the test names one: ptx; cuda-cpp, unless the code
  /// is PTX; sc if the test has a condition. For a program with transactions, returns ptx-tm, and sc-tm if the test has
  /// a condition.
  Result<std::vector<RulesPtr>> default_models(const Program& program);

 private:
  template <typename Expectations>
  Result<std::vector<RulesPtr>> models_named(const Program& program, const Expectations& expectations);

  Files files_;
  std::mutex mutex_;
  std::map<std::pair<std::string, std::map<std::string, std::string>>, RulesPtr> loaded_;
};

}  // namespace ambit::parser
