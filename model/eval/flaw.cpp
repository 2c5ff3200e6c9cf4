#include <fmt/format.h>

#include <algorithm>

#include "model/eval/base.h"
#include "model/eval/evaluator.h"

namespace ambit::eval {
namespace {

using events::Event;
using events::EventId;
using events::EventSet;
using events::Execution;
using events::kNoEvent;
using events::Relation;
using Flaw = std::optional<std::string>;

/// Checks the conditions for a candidate execution one by one (definitions.md 0). The values must be grounded.
class Inspection {
 public:
  Inspection(const events::EventGraph& graph, const rules::Rules& rules, const Execution& execution, Context* context)
      : graph_(graph), rules_(rules), execution_(execution), context_(context) {}

  /// Finds the first flaw. `evaluation` is the execution's evaluation, or null.
  Flaw find(const Evaluation* evaluation) {
    if (Flaw flaw = shape()) return flaw;
    events::evaluate(graph_.values, execution_.values, nodes_);
    for (EventId e = 0; e < graph_.size(); ++e) {
      if (Flaw flaw = event(e)) return flaw;
    }
    for (EventId e = 0; e < graph_.size(); ++e) {
      if (Flaw flaw = source(e)) return flaw;
    }
    for (LocationId l = 0; l < execution_.coherence.size(); ++l) {
      if (Flaw flaw = coherence_of(l)) return flaw;
    }
    if (Flaw flaw = whole()) return flaw;
    for (std::size_t o = 0; o < rules_.orders.size(); ++o) {
      if (Flaw flaw = order(o)) return flaw;
    }
    return model(evaluation != nullptr ? evaluation->axioms : evaluate_axioms(graph_, rules_, execution_, context_));
  }

 private:
  Flaw shape() const {
    const std::size_t n = graph_.size();
    if (execution_.executed.size() != n || execution_.values.size() != n || execution_.locations.size() != n ||
        execution_.reads_from.size() != n) {
      return fmt::format("it does not have {} events", n);
    }
    if (execution_.coherence.size() != graph_.program->locations.size()) {
      return fmt::format("it orders the writes of {} locations out of {}", execution_.coherence.size(),
                         graph_.program->locations.size());
    }
    if (execution_.orders.size() != rules_.orders.size()) {
      return fmt::format("it has {} declared orders, but the model has {}", execution_.orders.size(),
                         rules_.orders.size());
    }
    return std::nullopt;
  }

  Flaw event(EventId e) const {
    const Event& event = graph_.events[e];
    const bool executed = execution_.executed.contains(e);
    if (executed != (nodes_[event.guard] != 0)) {
      return fmt::format("{} is {}executed but its guard is {}", graph_.describe(e), executed ? "" : "not ",
                         nodes_[event.guard]);
    }
    if (event.kind == events::EventKind::Choice) {
      if (execution_.values[e] >= 0 && execution_.values[e] < static_cast<Value>(event.alternatives))
        return std::nullopt;
      return fmt::format("it makes the choice {} out of {}", execution_.values[e], event.alternatives);
    }
    if (!executed || !event.is_access()) {
      if (execution_.values[e] == 0) return std::nullopt;
      return fmt::format("{} accesses nothing but has the value {}", graph_.describe(e), execution_.values[e]);
    }
    if (execution_.values[e] != nodes_[event.value]) {
      return fmt::format("{} has the value {} where the program computes {}", graph_.describe(e), execution_.values[e],
                         nodes_[event.value]);
    }
    const std::optional<LocationId> location = graph_.program->location_at(nodes_[event.address]);
    if (!location) return fmt::format("{} is executed at an address outside of every object", graph_.describe(e));
    if (*location != execution_.locations[e] ||
        std::ranges::find(event.locations, *location) == event.locations.end()) {
      return fmt::format("{} accesses a location that differs from its address", graph_.describe(e));
    }
    return std::nullopt;
  }

  Flaw source(EventId read) const {
    const EventId write = execution_.reads_from[read];
    if (!graph_.events[read].is_read() || !execution_.executed.contains(read)) {
      if (write == kNoEvent) return std::nullopt;
      return fmt::format("{} is not an executed read but reads from a write", graph_.describe(read));
    }
    if (write == kNoEvent) return fmt::format("{} reads from no write", graph_.describe(read));
    if (write >= graph_.size() || !graph_.events[write].is_write() || !execution_.executed.contains(write)) {
      return fmt::format("{} reads from an event that is not an executed write", graph_.describe(read));
    }
    if (graph_.events[read].rmw_partner == write) {
      return fmt::format("{} reads from its own write half", graph_.describe(read));
    }
    if (execution_.locations[read] != execution_.locations[write]) {
      return fmt::format("{} reads from {}, another location", graph_.describe(read), graph_.describe(write));
    }
    if (execution_.values[read] != execution_.values[write]) {
      return fmt::format("{} reads {} from {}, which writes {}", graph_.describe(read), execution_.values[read],
                         graph_.describe(write), execution_.values[write]);
    }
    return std::nullopt;
  }

  Flaw coherence_of(LocationId location) const {
    const std::vector<EventId>& listed = execution_.coherence[location];
    const std::string& name = graph_.program->locations[location].name;
    EventSet expected(graph_.size());
    for (EventId e = 0; e < graph_.size(); ++e) {
      const bool here = graph_.events[e].is_write() && execution_.executed.contains(e);
      if (here && execution_.locations[e] == location) expected.insert(e);
    }
    if (!lists_exactly(listed, expected)) {
      return fmt::format("the coherence order of {} is not an order of its executed writes", name);
    }
    if (listed.front() != location)
      return fmt::format("the coherence order of {} does not begin with the initial write", name);
    return std::nullopt;
  }

  /// Returns whether `listed` has each member of `expected` exactly once, and no other element.
  static bool lists_exactly(const std::vector<EventId>& listed, const EventSet& expected) {
    EventSet seen(expected.size());
    for (const EventId e : listed) {
      if (e >= expected.size() || seen.contains(e)) return false;
      seen.insert(e);
    }
    return seen == expected;
  }

  Flaw whole() {
    for (const events::NodeId requirement : graph_.requirements) {
      if (nodes_[requirement] == 0) return "a spin loop does not end or an assumption fails";
    }
    if (nodes_[graph_.bound_reached] != 0) return "a loop runs past its bound";
    const auto& filter = graph_.program->condition.filter;
    if (filter && !events::holds(*filter, events::outcome_of(graph_, execution_, nodes_)))
      return "the test's filter excludes it";
    Relation support = reads_from(execution_);
    for (const BaseRelation base :
         {BaseRelation::AddressDependency, BaseRelation::DataDependency, BaseRelation::ReadModifyWritePair}) {
      support |= concrete_relation(graph_.relation(base), execution_.executed, nodes_);
    }
    const std::vector<EventId> cycle = events::find_cycle(support);
    if (!cycle.empty()) return fmt::format("the value of {} depends on itself", graph_.describe(cycle.front()));
    return std::nullopt;
  }

  Flaw order(std::size_t index) const {
    const Relation members = evaluate_term(graph_, rules_, execution_, rules_.orders[index].set);
    if (lists_exactly(execution_.orders[index], events::domain(members))) return std::nullopt;
    return fmt::format("{} is not an order of the executed events of its set", rules_.orders[index].name);
  }

  Flaw model(const std::vector<bool>& axioms) const {
    for (std::size_t i = 0; i < rules_.axioms.size(); ++i) {
      if (!axioms[i]) return fmt::format("axiom {} of {} forbids it", rules_.axioms[i].name, rules_.name);
    }
    return std::nullopt;
  }

  const events::EventGraph& graph_;
  const rules::Rules& rules_;
  const Execution& execution_;
  Context* context_;
  std::vector<Value> nodes_;
};

}  // namespace

std::optional<std::string> find_flaw(const events::EventGraph& graph, const rules::Rules& rules,
                                     const Execution& execution, Context* context) {
  return Inspection(graph, rules, execution, context).find(nullptr);
}

std::optional<std::string> find_flaw(const events::EventGraph& graph, const rules::Rules& rules,
                                     const Execution& execution, const Evaluation& evaluation, Context* context) {
  return Inspection(graph, rules, execution, context).find(&evaluation);
}

}  // namespace ambit::eval
