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
  /// How to load the user's model files: once; at each request, because the files may change; or not at all, because
  /// the request is not trusted.
  enum class Files : std::uint8_t { ReadOnce, ReadEachTime, Refused };

  explicit ModelStore(Files files = Files::ReadOnce) : files_(files) {}

  /// Loads a model. Errors about an unknown model or option refer to `where` in `origin`, or to the command line if
  /// `origin` is null.
  Result<RulesPtr> load(const std::string& name, const std::map<std::string, std::string>& options,
                        SourceFilePtr origin = nullptr, SourceSpan where = {});
  /// Loads a model by its reference, which has the syntax of the command line (parse_model_reference).
  Result<RulesPtr> load_reference(const std::string& reference);

  /// Loads the models of a list of references, without duplicates. Errors: a model cannot be loaded; two different
  /// models have the same name.
  Result<std::vector<RulesPtr>> load_all(const std::vector<std::string>& references);
  /// Loads the models that a program's expectations of outcomes and races name, without duplicates. If the program has
  /// no expectation of this kind, loads the default models (default_models).
  Result<std::vector<RulesPtr>> models_of(const Program& program);
  /// Loads the models that a program's expectations of termination name, without duplicates.
  Result<std::vector<RulesPtr>> termination_models_of(const Program& program);
  /// Returns the models that are used if neither the command line nor the test names a model: ptx; cuda-cpp, unless the
  /// code is PTX; sc if the test has a condition. For a program with transactions, returns ptx-tm, and sc-tm if the
  /// test has a condition.
  Result<std::vector<RulesPtr>> default_models(const Program& program);

 private:
  template <typename Expectations>
  Result<std::vector<RulesPtr>> models_named(const Program& program, const Expectations& expectations);

  Files files_;
  std::mutex mutex_;
  std::map<std::pair<std::string, std::map<std::string, std::string>>, RulesPtr> loaded_;
};

}  // namespace ambit::parser
