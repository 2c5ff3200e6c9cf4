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
  /// How to load the user's model files: once, like every model; every time, because they may change; or not at all,
  /// because the request is not trusted.
  enum class Files : std::uint8_t { ReadOnce, ReadEachTime, Refused };

  explicit ModelStore(Files files = Files::ReadOnce) : files_(files) {}

  /// Loads a model. Errors about an unknown model or option are at `where` in `origin`; if `origin` is null, on the
  /// command line.
  Result<RulesPtr> load(const std::string& name, const std::map<std::string, std::string>& options,
                        SourceFilePtr origin = nullptr, SourceSpan where = {});
  /// Loads a model that is given as on the command line.
  Result<RulesPtr> load_reference(const std::string& reference);

  /// Loads a list of models that are given as on the command line, without duplicates. Errors: those of each model; two
  /// different files, or a file and a shipped model, have the same name.
  Result<std::vector<RulesPtr>> load_all(const std::vector<std::string>& references);
  /// Loads the models in a program's expectations of outcomes and races, without duplicates; the default models if the
  /// program has no such expectation (default_models).
  Result<std::vector<RulesPtr>> models_of(const Program& program);
  /// Loads the models in a program's expectations of termination, without duplicates.
  Result<std::vector<RulesPtr>> termination_models_of(const Program& program);
  /// Returns the models that are used if neither the command line nor the test names a model: cuda-cpp and ptx for CUDA
  /// sources, ptx for compiled code, hrf-indirect and ptx for other tests.
  Result<std::vector<RulesPtr>> default_models(const Program& program);

 private:
  template <typename Expectations>
  Result<std::vector<RulesPtr>> models_named(const Program& program, const Expectations& expectations);

  Files files_;
  std::mutex mutex_;
  std::map<std::pair<std::string, std::map<std::string, std::string>>, RulesPtr> loaded_;
};

}  // namespace ambit::parser
