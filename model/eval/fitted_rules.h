#pragma once

#include <map>
#include <memory>
#include <utility>

#include "model/events/event_graph.h"
#include "model/rules/rules.h"

namespace ambit::eval {

class Plan;

/// A model reduced to the features that a program uses, without axioms that other axioms imply
/// (rules::without_implied_axioms).
struct FittedModel {
  std::shared_ptr<const rules::Rules> whole;       ///< keeps the model alive, so that its address remains unique
  std::shared_ptr<const rules::Rules> all_axioms;  ///< the model reduced to the used features, but with all axioms
  std::shared_ptr<const rules::Rules> rules;
  std::shared_ptr<const Plan> plan;  ///< the plan for `rules` that the explicit engine runs
};

/// Models that are adapted to a program. Most programs have no proxies, transactions or asynchronous operations, and
/// terms for these features cost time. The adapted model gives the same answers as the whole model.
class FittedRules {
 public:
  /// Returns the model reduced to the features that the graph uses. The result is valid until the next call.
  /// Compiles each variant only once, because the compilation takes longer than an enumeration of the executions of a
  /// small program.
  const FittedModel& of(const std::shared_ptr<const rules::Rules>& rules, const events::EventGraph& graph);

 private:
  /// Adapted models; the key is the model and its unused features.
  std::map<std::pair<const rules::Rules*, unsigned>, FittedModel> known_;
};

}  // namespace ambit::eval
