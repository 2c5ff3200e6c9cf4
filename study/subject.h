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

/// What is compared: a memory model or a race detector.
struct Subject {
  std::string name;  ///< "ptx", "detector gwcp"
  std::shared_ptr<const rules::Rules> rules = {};
  std::function<std::unique_ptr<detector::Detector>(const TraceTables& tables)> make = {};  ///< of a detector

  bool is_model() const { return rules != nullptr; }
  /// A model has a flag that is a race, or it is a detector.
  bool speaks_of_races() const;
};

/// What a subject says of one program.
struct Sight {
  bool is_known = false;                  ///< false: the subject has no answer, or only a part of one
  std::optional<bool> race;               ///< absent: it does not speak of races
  std::vector<events::Outcome> outcomes;  ///< of models: all that are allowed, sorted
  std::vector<bool> by_run;               ///< of detectors: a race was reported, by number of the run
  std::string failure;                    ///< how the detector itself failed; empty: it did not
};

/// Asks models (by enumeration of executions) and detectors (on all schedules of the simulator, with sequentially
/// consistent memory) about programs.
class Observer {
 public:
  explicit Observer(std::vector<Subject> subjects);

  const std::vector<Subject>& subjects() const { return subjects_; }
  /// By subject. `program` has places in a source where subjects are detectors: reports name places.
  std::vector<Sight> observe(const std::shared_ptr<const Program>& program) const;
  bool has_detectors() const { return has_detectors_; }

 private:
  void ask_models(const std::shared_ptr<const Program>& program, std::vector<Sight>& sights) const;
  void ask_detectors(const std::shared_ptr<const Program>& program, std::vector<Sight>& sights) const;

  std::vector<Subject> subjects_;
  mutable eval::FittedRules fitted_;  ///< compiled models, kept
  bool has_detectors_ = false;
};

}  // namespace ambit::study
