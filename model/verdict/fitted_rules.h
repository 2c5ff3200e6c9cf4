#pragma once

#include <map>
#include <memory>
#include <utility>

#include "model/events/event_graph.h"
#include "model/rules/rules.h"

namespace ambit::verdict {

/// Models as engines look at them for one program: most programs have no proxies, no transactions, no asynchronous
/// operations, and the terms that speak of them cost time. The answers are those of the whole model.
class FittedRules {
 public:
  /// The model without the features that the graph does not use. Valid until the next call.
  const rules::Rules& of(const std::shared_ptr<const rules::Rules>& rules, const events::EventGraph& graph);

 private:
  struct Fitted {
    std::shared_ptr<const rules::Rules> whole;  ///< keeps its address its own
    std::unique_ptr<const rules::Rules> rules;
  };
  std::map<std::pair<const rules::Rules*, unsigned>, Fitted> known_;  ///< by model and unused features
};

}  // namespace ambit::verdict
