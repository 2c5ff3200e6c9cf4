#pragma once

#include <optional>

#include "model/events/execution.h"
#include "model/explain/repair.h"
#include "model/rules/rules.h"

namespace ambit::explain {

/// An execution of a program as one of the repaired program: the same values, reads and orders; new fences take place,
/// and come last in the orders that the model declares.
struct CarriedOver {
  std::shared_ptr<const events::EventGraph> graph;  ///< of the repaired program
  events::Execution execution;
  std::vector<events::EventId> counterpart;  ///< by event of the old graph
};

/// Nothing where the repaired program has other events than new fences, or the model does not allow the execution
/// there, and where the limits of `context` are reached. If there is one, the repair does not keep the execution from
/// happening: cheaper to find out than by a search.
std::optional<CarriedOver> carry_over(const events::EventGraph& graph, const events::Execution& execution,
                                      const RepairedProgram& repaired, const rules::Rules& rules, Context& context);

}  // namespace ambit::explain
