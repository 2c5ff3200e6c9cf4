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

/// Loads each model once, however many tests ask for it. Safe for several threads.
class ModelStore {
 public:
  /// What becomes of model files, those of the user's own: as each model, read once; read each time, for they may have
  /// changed; or refused, for who asks is a stranger.
  enum class Files : std::uint8_t { ReadOnce, ReadEachTime, Refused };

  explicit ModelStore(Files files = Files::ReadOnce) : files_(files) {}

  /// `where` in `origin` is named by the error when there is no such model or option; null: the command line.
  Result<RulesPtr> load(const std::string& name, const std::map<std::string, std::string>& options,
                        SourceFilePtr origin = nullptr, SourceSpan where = {});
  /// A model as written on the command line.
  Result<RulesPtr> load_reference(const std::string& reference);

  /// All models of a list as written on the command line, each once. Errors: each model's own; two different files, or
  /// a file and a shipped model, that have one name.
  Result<std::vector<RulesPtr>> load_all(const std::vector<std::string>& references);
  /// The models that a program's expectations about outcomes and races name, each once; hrf-indirect and ptx when the
  /// program has no expectation at all.
  Result<std::vector<RulesPtr>> models_of(const Program& program);
  /// The models that a program's expectations about termination name, each once.
  Result<std::vector<RulesPtr>> termination_models_of(const Program& program);
  /// The models asked when nothing names one.
  Result<std::vector<RulesPtr>> default_models();

 private:
  template <typename Expectations>
  Result<std::vector<RulesPtr>> models_named(const Program& program, const Expectations& expectations);

  Files files_;
  std::mutex mutex_;
  std::map<std::pair<std::string, std::map<std::string, std::string>>, RulesPtr> loaded_;
};

}  // namespace ambit::parser
