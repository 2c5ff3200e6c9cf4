#pragma once

#include <optional>

#include "model/events/execution.h"
#include "model/explain/repair.h"
#include "model/rules/rules.h"

namespace ambit::explain {

/// An execution of the original program, converted to an execution of the repaired program with the same values, reads
/// and orders. New fences are executed, and come last in the orders that the model declares.
struct CarriedOver {
  std::shared_ptr<const events::EventGraph> graph;  ///< the graph of the repaired program
  events::Execution execution;
  std::vector<events::EventId> counterpart;  ///< for each event of the old graph, its event in the new graph
};

/// Converts an execution. Returns nothing if the repaired program has new events other than fences, if the model
/// forbids the converted execution, or if a limit of `context` is reached. A result shows that the repair does not
/// prevent the execution. The conversion is cheaper than a search.
std::optional<CarriedOver> carry_over(const events::EventGraph& graph, const events::Execution& execution,
                                      const RepairedProgram& repaired, const rules::Rules& rules, Context& context);

}  // namespace ambit::explain
