// Computes syntactic dependencies: the reads on which an event's address, value and control depend.

#include "model/events/draft.h"

namespace ambit::events {
namespace {

/// Returns the nodes that are relevant for dependencies, and all nodes on which these nodes depend.
std::vector<bool> needed_nodes(const Draft& draft) {
  const EventGraph& graph = draft.graph;
  std::vector<bool> needed(graph.values.size(), false);
  for (const ControlPoint& point : draft.control_points) needed[point.condition] = true;
  for (EventId e = 0; e < graph.size(); ++e) {
    const Event& event = graph.events[e];
    for (const NodeId node : {event.address, event.value, draft.notes[e].path, draft.notes[e].own_guard}) {
      needed[node] = true;
    }
  }
  for (std::size_t id = needed.size(); id-- > 2;) {
    const ValueNode& node = graph.values[static_cast<NodeId>(id)];
    if (!needed[id] || node.op == Op::Register) continue;
    for (const NodeId argument : node.arguments) needed[argument] = true;
  }
  return needed;
}

/// Returns, for each node, the reads on which the node depends. The set is empty for nodes that are not relevant.
std::vector<EventSet> reads_of_nodes(const Draft& draft) {
  const EventGraph& graph = draft.graph;
  const std::vector<bool> needed = needed_nodes(draft);
  std::vector<EventSet> reads(graph.values.size());
  for (NodeId id = 0; id < graph.values.size(); ++id) {
    if (!needed[id]) continue;
    reads[id] = EventSet(graph.size());
    draft.context.poll(reads[id].word_count());
    const ValueNode& node = graph.values[id];
    if (node.op == Op::Register) {
      // Nodes of rolled-back iterations may refer to events that no longer exist.
      if (node.read < graph.size()) reads[id].insert(node.read);
      continue;
    }
    for (const NodeId argument : node.arguments) {
      if (argument > ValueGraph::kTrue) reads[id] |= reads[argument];
    }
  }
  return reads;
}

class DependencyFiller {
 public:
  explicit DependencyFiller(Draft& draft) : draft_(draft), graph_(draft.graph), reads_(reads_of_nodes(draft)) {}

  void fill() {
    for (std::uint32_t t = 0; t + 1 < draft_.first_event.size(); ++t) {
      EventSet control_so_far(graph_.size());
      auto point = draft_.control_points.begin();
      for (EventId e = draft_.first_event[t]; e < draft_.first_event[t + 1]; ++e) {
        for (; point != draft_.control_points.end() && (point->thread < t || (point->thread == t && point->first <= e));
             ++point) {
          if (point->thread == t) control_so_far |= reads_[point->condition];
        }
        fill_event(e, control_so_far);
      }
    }
  }

 private:
  Relation& relation(BaseRelation id) { return graph_.relations[static_cast<std::size_t>(id)].always; }
  void add(BaseRelation id, const EventSet& from, EventId to) {
    from.for_each([&](EventId read) {
      const bool is_before = read < to || graph_.events[read].thread != graph_.events[to].thread;
      if (is_before) relation(id).insert(read, to);
    });
  }

  void fill_event(EventId e, const EventSet& control_so_far) {
    const Event& event = graph_.events[e];
    add(BaseRelation::ControlDependency, control_so_far, e);
    add(BaseRelation::ControlDependency, reads_[draft_.notes[e].path], e);
    if (!event.is_access()) return;
    add(BaseRelation::AddressDependency, reads_[event.address], e);
    if (!event.is_write()) return;
    add(BaseRelation::DataDependency, reads_[event.value], e);
    compare_exchange(e, event);
  }

  /// The write of a compare-exchange depends on the value read and on the expected value.
  void compare_exchange(EventId e, const Event& event) {
    const auto& instruction = draft_.program().threads[event.thread].code[event.instruction].operation;
    const auto* rmw = std::get_if<Rmw>(&instruction);
    if (rmw == nullptr || rmw->op != RmwOp::CompareExchange) return;
    relation(BaseRelation::ControlDependency).insert(event.rmw_partner, e);
    EventSet decisive = reads_[draft_.notes[e].own_guard];
    decisive -= reads_[event.address];
    add(BaseRelation::ControlDependency, decisive, e);
  }

  Draft& draft_;
  EventGraph& graph_;
  std::vector<EventSet> reads_;
};

}  // namespace

void fill_dependencies(Draft& draft) { DependencyFiller(draft).fill(); }

}  // namespace ambit::events
