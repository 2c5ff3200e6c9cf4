#pragma once

#include <optional>

#include "model/events/execution.h"
#include "model/explain/repair.h"
#include "model/rules/rules.h"

namespace ambit::explain {

/// An execution of a program as an execution of the repaired program: the same values, reads and orders. New fences
/// take place, and come last in the orders that the model declares.
struct CarriedOver {
  std::shared_ptr<const events::EventGraph> graph;  ///< of the repaired program
  events::Execution execution;
  std::vector<events::EventId> counterpart;  ///< by event of the old graph
};

/// Returns nothing if the repaired program has new events other than fences, if the model does not allow the execution
/// there, or at a limit of `context`. A result shows that the repair does not prevent the execution, at less cost than
/// a search.
std::optional<CarriedOver> carry_over(const events::EventGraph& graph, const events::Execution& execution,
                                      const RepairedProgram& repaired, const rules::Rules& rules, Context& context);

}  // namespace ambit::explain
