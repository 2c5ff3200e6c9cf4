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

/// Loads each model once and shares it between tests. Thread-safe.
class ModelStore {
 public:
  /// How to treat the user's model files: read once like every model, read each time because they may change, or refuse
  /// because the request is not trusted.
  enum class Files : std::uint8_t { ReadOnce, ReadEachTime, Refused };

  explicit ModelStore(Files files = Files::ReadOnce) : files_(files) {}

  /// `where` in `origin` is the place of errors about an unknown model or option; null: the command line.
  Result<RulesPtr> load(const std::string& name, const std::map<std::string, std::string>& options,
                        SourceFilePtr origin = nullptr, SourceSpan where = {});
  /// Loads a model as written on the command line.
  Result<RulesPtr> load_reference(const std::string& reference);

  /// Loads the models of a list as written on the command line, each once. Errors: those of each model; two different
  /// files, or a file and a shipped model, with the same name.
  Result<std::vector<RulesPtr>> load_all(const std::vector<std::string>& references);
  /// Loads the models in a program's expectations of outcomes and races, each once; the default models when the program
  /// has no expectation (default_models).
  Result<std::vector<RulesPtr>> models_of(const Program& program);
  /// Loads the models in a program's expectations of termination, each once.
  Result<std::vector<RulesPtr>> termination_models_of(const Program& program);
  /// Returns the models used when neither the command line nor the test names a model: of CUDA sources cuda-cpp and
  /// ptx, of compiled code ptx, of other tests hrf-indirect and ptx.
  Result<std::vector<RulesPtr>> default_models(const Program& program);

 private:
  template <typename Expectations>
  Result<std::vector<RulesPtr>> models_named(const Program& program, const Expectations& expectations);

  Files files_;
  std::mutex mutex_;
  std::map<std::pair<std::string, std::map<std::string, std::string>>, RulesPtr> loaded_;
};

}  // namespace ambit::parser
