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
  std::shared_ptr<const rules::Rules> whole;       ///< keeps its address its own
  std::shared_ptr<const rules::Rules> all_axioms;  ///< without the features only
  std::shared_ptr<const rules::Rules> rules;
  std::shared_ptr<const Plan> plan;  ///< of `rules`, for the explicit engine
};

/// Models as engines look at them for one program: most programs have no proxies, no transactions, no asynchronous
/// operations, and the terms that speak of them cost time. The answers are those of the whole model.
class FittedRules {
 public:
  /// The model without the features that the graph does not use. Valid until the next call. Compiled once: that takes
  /// longer than to enumerate the executions of a program of some events.
  const FittedModel& of(const std::shared_ptr<const rules::Rules>& rules, const events::EventGraph& graph);

 private:
  std::map<std::pair<const rules::Rules*, unsigned>, FittedModel> known_;  ///< by model and unused features
};

}  // namespace ambit::eval
