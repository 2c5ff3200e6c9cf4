#pragma once

#include <map>
#include <memory>
#include <utility>

#include "model/events/event_graph.h"
#include "model/rules/rules.h"

namespace ambit::eval {

class Plan;

/// A model without the features that some programs do not use, and without axioms that others imply
/// (rules::without_implied_axioms).
struct FittedModel {
  std::shared_ptr<const rules::Rules> whole;       ///< keeps the address in use, so that it remains unique
  std::shared_ptr<const rules::Rules> all_axioms;  ///< without the unused features, with all axioms
  std::shared_ptr<const rules::Rules> rules;
  std::shared_ptr<const Plan> plan;  ///< of `rules`, for the explicit engine
};

/// Models adapted to one program: most programs have no proxies, transactions or asynchronous operations, and terms
/// about these cost time. The answers are those of the whole model.
class FittedRules {
 public:
  /// Returns the model without the features that the graph does not use. Valid until the next call. Compiles each
  /// variant once: that takes longer than enumerating the executions of a small program.
  const FittedModel& of(const std::shared_ptr<const rules::Rules>& rules, const events::EventGraph& graph);

 private:
  std::map<std::pair<const rules::Rules*, unsigned>, FittedModel> known_;  ///< by model and unused features
};

}  // namespace ambit::eval
