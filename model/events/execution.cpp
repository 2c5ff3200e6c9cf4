#include "model/events/execution.h"

namespace ambit::events {

Outcome outcome_of(const EventGraph& graph, const Execution& execution, std::vector<Value>& nodes) {
  evaluate(graph.values, execution.values, nodes);
  const auto& observables = graph.program->observables;
  Outcome outcome(observables.size());
  for (std::size_t i = 0; i < observables.size(); ++i) {
    const Observable& observable = observables[i];
    if (observable.kind == Observable::Kind::Register) {
      outcome[i] = nodes[graph.observables[i]];
      continue;
    }
    const std::vector<EventId>& writes = execution.coherence[observable.location];
    AMBIT_ASSERT(!writes.empty());
    outcome[i] = observable.type.wrap(execution.values[writes.back()]);
  }
  return outcome;
}

std::vector<std::string> describe_waits(const EventGraph& graph, const Execution& execution) {
  std::vector<std::string> texts;
  std::vector<Value> nodes;
  evaluate(graph.values, execution.values, nodes);
  for (const BarrierWait& wait : graph.waits) {
    if (nodes[wait.stays] != 0) texts.push_back(describe_wait(graph, nodes, wait));
  }
  return texts;
}

bool holds(const Expr& proposition, const Outcome& outcome) { return ambit::evaluate(proposition, outcome) != 0; }

}  // namespace ambit::events
