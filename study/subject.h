#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/program.h"
#include "detector/detector.h"
#include "model/eval/fitted_rules.h"
#include "model/events/execution.h"
#include "model/rules/rules.h"

namespace ambit::study {

/// A memory model or race detector that a study compares with others.
struct Subject {
  std::string name;  ///< "ptx", "detector gwcp"
  std::shared_ptr<const rules::Rules> rules = {};
  /// Makes the detector; empty for a model.
  std::function<std::unique_ptr<detector::Detector>(const TraceTables& tables)> make = {};
  /// For a model file: the quoted path, which an `expect` line uses to name the model. Empty for a shipped model, which
  /// an `expect` line names by `name`.
  std::string quoted_file = {};

  bool is_model() const { return rules != nullptr; }
  /// Returns whether the subject can report races: it is either a detector or a model with a race flag.
  bool speaks_of_races() const;
};

/// A subject's result for one program.
struct Sight {
  bool is_known = false;                  ///< false if the subject has no answer or only a partial answer
  std::optional<bool> race;               ///< absent if the subject has no verdict about races
  std::vector<events::Outcome> outcomes;  ///< for models, all allowed outcomes, sorted
  std::vector<bool> by_run;               ///< for detectors, whether a race was reported on each run
  std::string failure;                    ///< the error if the detector itself failed; otherwise empty
};

/// Runs models (by enumeration of executions) and detectors (on all schedules of the simulator, with sequentially
/// consistent memory) on programs.
class Observer {
 public:
  explicit Observer(std::vector<Subject> subjects);

  const std::vector<Subject>& subjects() const { return subjects_; }
  /// Returns one result for each subject. If there are detectors, the instructions of `program` need source places,
  /// because reports name places.
  std::vector<Sight> observe(const std::shared_ptr<const Program>& program) const;
  bool has_detectors() const { return has_detectors_; }

 private:
  void check_models(const std::shared_ptr<const Program>& program, std::vector<Sight>& sights) const;
  void run_detectors(const std::shared_ptr<const Program>& program, std::vector<Sight>& sights) const;

  std::vector<Subject> subjects_;
  mutable eval::FittedRules fitted_;  ///< cache of compiled models
  bool has_detectors_ = false;
};

}  // namespace ambit::study
