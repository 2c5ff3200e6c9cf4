#include "model/eval/dependents.h"

#include <algorithm>

#include "model/events/value_graph.h"

namespace ambit::eval {

using events::EventId;
using events::NodeId;

Dependents::Dependents(const events::EventGraph& graph) : graph_(graph) {
  for (EventId e = 0; e < graph.size(); ++e) {
    if (graph.is_choice(e)) reads.push_back(e);
  }
  for (EventId e = 0; e < graph.size(); ++e) {
    if (graph.events[e].is_read()) reads.push_back(e);
  }
  find_users();
  find_static_nodes();
  find_limits();
}

void Dependents::find_users() {
  register_nodes.resize(graph_.size());
  users.resize(graph_.values.size());
  guarded.resize(graph_.values.size());
  operand_of.resize(graph_.values.size());
  for (NodeId id = 0; id < graph_.values.size(); ++id) {
    const events::ValueNode& node = graph_.values[id];
    if (node.op == Op::Register) register_nodes[node.read].push_back(id);
    for (std::size_t i = 0; i < arity(node.op); ++i) users[node.arguments[i]].push_back(id);
  }
  for (EventId e = 0; e < graph_.size(); ++e) {
    const events::Event& event = graph_.events[e];
    guarded[event.guard].push_back(e);
    if (event.is_access()) operand_of[event.address].push_back(e);
    if (event.is_write()) operand_of[event.value].push_back(e);
  }
}

void Dependents::find_static_nodes() {
  for (const events::Event& event : graph_.events) static_nodes.push_back(event.guard);
  for (const auto& set : graph_.sets) {
    for (const auto& member : set.sometimes) static_nodes.push_back(member.condition);
  }
  for (const auto& relation : graph_.relations) {
    for (const auto& pair : relation.sometimes) static_nodes.push_back(pair.condition);
  }
  std::ranges::sort(static_nodes);
  const auto twice = std::ranges::unique(static_nodes);
  static_nodes.erase(twice.begin(), twice.end());
}

void Dependents::find_limits() {
  for (const NodeId requirement : graph_.requirements) {
    events::collect_parts(graph_.values, requirement, Op::LogicalAnd, requirements);
  }
  for (const events::EventGraph::Bound& bound : graph_.bounds) {
    const std::size_t before = bounds.size();
    events::collect_parts(graph_.values, bound.reached, Op::LogicalOr, bounds);
    bound_threads.insert(bound_threads.end(), bounds.size() - before, bound.thread);
  }
  is_requirement.assign(graph_.values.size(), false);
  is_bound.assign(graph_.values.size(), false);
  for (const NodeId requirement : requirements) is_requirement[requirement] = true;
  for (const NodeId bound : bounds) is_bound[bound] = true;
}

}  // namespace ambit::eval
