#include "model/eval/candidate.h"

#include <array>

#include "base/assert.h"

namespace ambit::eval {

using events::EventId;
using events::kNoEvent;
using events::NodeId;

Candidate::Candidate(const events::EventGraph& graph, const Dependents& dependents)
    : source(graph.size(), kNoEvent),
      value(graph.size(), 0),
      location(graph.size(), 0),
      graph_(graph),
      dependents_(dependents),
      promises_(graph.size()),
      unknown_operands_(graph.size(), 0),
      is_assigned_(graph.size(), false) {
  knowledge.nodes.assign(graph.values.size(), 0);
  knowledge.unknown.assign(graph.values.size(), 0);
  known_.reserve(graph.values.size());
}

void Candidate::begin() {
  for (NodeId id = 0; id < graph_.values.size(); ++id) {
    const Op op = graph_.values[id].op;
    const bool is_leaf = op == Op::Register || op == Op::Const;
    knowledge.unknown[id] = is_leaf ? 1 : static_cast<std::uint8_t>(arity(op));
  }
  for (EventId e = 0; e < graph_.size(); ++e) {
    const events::Event& event = graph_.events[e];
    unknown_operands_[e] = static_cast<std::uint8_t>(1 + (event.is_access() ? 1 : 0) + (event.is_write() ? 1 : 0));
  }
  known_.clear();
  for (NodeId id = 0; id < graph_.values.size(); ++id) {
    if (graph_.values[id].op != Op::Const) continue;
    knowledge.unknown[id] = 0;
    const bool consistent = set_known(id);
    AMBIT_ASSERT(consistent);
  }
}

bool Candidate::assign(EventId read, EventId from, Value read_value) {
  source[read] = from;
  value[read] = read_value;
  is_assigned_[read] = true;
  marks_.push_back({read, known_.size()});
  if (from != kNoEvent) {
    Promise& promise = promises_[from];
    ++promise.count;
    promise.location = location[read];
    promise.value = read_value;
  }
  bool consistent = true;
  for (const NodeId id : dependents_.register_nodes[read]) {
    --knowledge.unknown[id];
    consistent = set_known(id) && consistent;
  }
  return consistent;
}

void Candidate::retract() {
  const Mark mark = marks_.back();
  marks_.pop_back();
  while (known_.size() > mark.known) {
    const NodeId id = known_.back();
    known_.pop_back();
    for (const NodeId user : dependents_.users[id]) ++knowledge.unknown[user];
    for (const EventId e : dependents_.guarded[id]) ++unknown_operands_[e];
    for (const EventId e : dependents_.operand_of[id]) ++unknown_operands_[e];
  }
  for (const NodeId id : dependents_.register_nodes[mark.read]) ++knowledge.unknown[id];
  if (source[mark.read] != kNoEvent) --promises_[source[mark.read]].count;
  source[mark.read] = kNoEvent;
  value[mark.read] = 0;
  is_assigned_[mark.read] = false;
}

std::span<const NodeId> Candidate::news() const {
  return std::span(known_).subspan(marks_.empty() ? 0 : marks_.back().known);
}

/// Records that the node `first` is known, and computes all nodes that become known as a result.
bool Candidate::set_known(NodeId first) {
  std::size_t next = known_.size();
  known_.push_back(first);
  compute(first);
  bool consistent = true;
  for (; next < known_.size(); ++next) {
    const NodeId id = known_[next];
    for (const NodeId user : dependents_.users[id]) {
      if (--knowledge.unknown[user] > 0) continue;
      compute(user);
      known_.push_back(user);
    }
    for (const EventId e : dependents_.operand_of[id]) --unknown_operands_[e];
    for (const EventId e : dependents_.guarded[id]) --unknown_operands_[e];
    for (const EventId e : dependents_.operand_of[id]) consistent = settle(e) && consistent;
    for (const EventId e : dependents_.guarded[id]) consistent = settle(e) && consistent;
  }
  return consistent;
}

void Candidate::compute(NodeId id) {
  const events::ValueNode& node = graph_.values[id];
  Value& result = knowledge.nodes[id];
  if (node.op == Op::Const) {
    result = node.constant;
  } else if (node.op == Op::Register) {
    result = value[node.read];
  } else {
    const std::array<Value, 3> arguments = {this->node(node.arguments[0]), this->node(node.arguments[1]),
                                            this->node(node.arguments[2])};
    result = apply(node.op, node.type, std::span(arguments).first(arity(node.op)));
  }
}

/// Records the location and the written value of an event when both are known. Returns false if a read has assumed a
/// different location or value.
bool Candidate::settle(EventId e) {
  const events::Event& event = graph_.events[e];
  if (!event.is_access() || !knowledge.is_known(event.guard)) return true;
  const Promise& promise = promises_[e];
  if (!is_executed(e)) {
    if (event.is_write()) value[e] = 0;
    return promise.count == 0;
  }
  if (!knowledge.is_known(event.address)) return true;
  const std::optional<LocationId> found = graph_.program->location_at(node(event.address));
  AMBIT_ASSERT(found.has_value());  // an access is executed only if its address is in bounds
  location[e] = *found;
  if (!event.is_write() || !knowledge.is_known(event.value)) {
    return !event.is_write() || promise.count == 0 || location[e] == promise.location;
  }
  value[e] = node(event.value);
  return promise.count == 0 || (location[e] == promise.location && value[e] == promise.value);
}

}  // namespace ambit::eval
