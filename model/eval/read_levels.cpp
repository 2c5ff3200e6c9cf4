#include "model/eval/read_levels.h"

#include <algorithm>

#include "core/assert.h"
#include "model/events/value_graph.h"

namespace ambit::eval {

using events::NodeId;

Timeline::Timeline(const events::EventGraph& graph) : graph_(graph) {
  order_reads();
  nodes.resize(levels());
  writes.resize(levels());
  requirements.resize(levels());
  bounds_at.resize(levels());
  find_node_levels();
  find_event_levels();
  find_static_level();
  std::vector<NodeId> parts;
  for (const NodeId requirement : graph.requirements) {
    events::collect_parts(graph.values, requirement, Op::LogicalAnd, parts);
  }
  for (const NodeId part : parts) requirements[node_level[part]].push_back(part);
  for (const events::EventGraph::Bound& bound : graph.bounds) {
    const std::size_t before = bounds.size();
    events::collect_parts(graph.values, bound.reached, Op::LogicalOr, bounds);
    bound_threads.insert(bound_threads.end(), bounds.size() - before, bound.thread);
  }
  for (const NodeId bound : bounds) bounds_at[node_level[bound]].push_back(bound);
}

void Timeline::order_reads() {
  events::EventSet placed(graph_.size());
  for (events::EventId e = 0; e < graph_.size(); ++e) {
    if (!graph_.is_choice(e)) continue;
    reads.push_back(e);
    placed.insert(e);
  }
  for (events::EventId e = 0; e < graph_.size(); ++e) {
    if (graph_.events[e].is_read()) place_read(e, placed);
  }
}

void Timeline::place_read(events::EventId read, events::EventSet& placed) {
  if (placed.contains(read)) return;
  placed.insert(read);
  events::EventSet needed(graph_.size());
  graph_.values.collect_reads(graph_.events[read].guard, needed);
  graph_.values.collect_reads(graph_.events[read].address, needed);
  needed.for_each([&](events::EventId other) { place_read(other, placed); });
  reads.push_back(read);
}

void Timeline::find_node_levels() {
  std::vector<std::uint32_t> level_of_read(graph_.size(), 0);
  for (std::size_t i = 0; i < reads.size(); ++i) level_of_read[reads[i]] = static_cast<std::uint32_t>(i) + 1;
  node_level.assign(graph_.values.size(), 0);
  for (NodeId id = 0; id < graph_.values.size(); ++id) {
    const events::ValueNode& node = graph_.values[id];
    if (node.op == Op::Register) {
      AMBIT_ASSERT(node.read < graph_.size());
      AMBIT_ASSERT(graph_.events[node.read].is_read() || graph_.is_choice(node.read));
      node_level[id] = level_of_read[node.read];
    }
    for (std::size_t i = 0; i < arity(node.op); ++i) {
      node_level[id] = std::max(node_level[id], node_level[node.arguments[i]]);
    }
    nodes[node_level[id]].push_back(id);
  }
}

void Timeline::find_event_levels() {
  event_level.assign(graph_.size(), 0);
  for (events::EventId e = 0; e < graph_.size(); ++e) {
    const events::Event& event = graph_.events[e];
    std::uint32_t& level = event_level[e];
    level = node_level[event.guard];
    if (event.is_access()) level = std::max(level, node_level[event.address]);
    if (event.is_write()) {
      level = std::max(level, node_level[event.value]);
      writes[level].push_back(e);
    }
  }
  for (std::size_t i = 0; i < reads.size(); ++i) AMBIT_ASSERT(event_level[reads[i]] <= i);  // no read depends on later
}

void Timeline::find_static_level() {
  const auto wait_for = [&](NodeId node) { static_level = std::max(static_level, node_level[node]); };
  for (const events::Event& event : graph_.events) wait_for(event.guard);
  for (const auto& set : graph_.sets) {
    for (const auto& member : set.sometimes) wait_for(member.condition);
  }
  for (const auto& relation : graph_.relations) {
    for (const auto& pair : relation.sometimes) wait_for(pair.condition);
  }
}

}  // namespace ambit::eval
