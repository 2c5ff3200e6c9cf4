#include "model/eval/candidate.h"

#include <array>

#include "core/assert.h"

namespace ambit::eval {

using events::EventId;
using events::kNoEvent;

Candidate::Candidate(const events::EventGraph& graph, const Timeline& timeline)
    : source(graph.size(), kNoEvent),
      value(graph.size(), 0),
      location(graph.size(), 0),
      graph_(graph),
      timeline_(timeline),
      promises_(graph.size()) {
  knowledge.nodes.assign(graph.values.size(), 0);
  knowledge.node_level = timeline.node_level;
}

void Candidate::begin() {
  knowledge.position = 0;
  const bool consistent = learn(0);
  AMBIT_ASSERT(consistent);
}

bool Candidate::assign(EventId from, Value read_value) {
  const EventId read = timeline_.reads[knowledge.position];
  source[read] = from;
  value[read] = read_value;
  if (from != kNoEvent) {
    Promise& promise = promises_[from];
    ++promise.count;
    promise.location = location[read];
    promise.value = read_value;
  }
  ++knowledge.position;
  return learn(knowledge.position);
}

void Candidate::retract() {
  --knowledge.position;
  const EventId read = timeline_.reads[knowledge.position];
  if (source[read] != kNoEvent) --promises_[source[read]].count;
  source[read] = kNoEvent;
  value[read] = 0;
}

bool Candidate::learn(std::uint32_t level) {
  for (const events::NodeId id : timeline_.nodes[level]) {
    const events::ValueNode& node = graph_.values[id];
    Value& result = knowledge.nodes[id];
    if (node.op == Op::Const) {
      result = node.constant;
    } else if (node.op == Op::Register) {
      result = value[node.read];
    } else {
      const std::array<Value, 3> arguments = {this->node(node.arguments[0]), this->node(node.arguments[1]),
                                              this->node(node.arguments[2])};
      const bool one =
          node.op == Op::Negate || node.op == Op::BitNot || node.op == Op::LogicalNot || node.op == Op::Cast;
      result = apply(node.op, node.type, std::span(arguments).first(one ? 1 : node.op == Op::Select ? 3 : 2));
    }
  }
  bool consistent = true;
  for (const EventId write : timeline_.writes[level]) {
    const bool executed = is_executed(write);
    value[write] = executed ? node(graph_.events[write].value) : 0;
    if (executed) location[write] = location_of(write);
    const Promise& promise = promises_[write];
    if (promise.count == 0) continue;
    consistent = consistent && executed && location[write] == promise.location && value[write] == promise.value;
  }
  return consistent;
}

LocationId Candidate::next_location() {
  const EventId read = timeline_.reads[knowledge.position];
  location[read] = location_of(read);
  return location[read];
}

LocationId Candidate::location_of(EventId e) const {
  const std::optional<LocationId> found = graph_.program->location_at(node(graph_.events[e].address));
  AMBIT_ASSERT(found.has_value());  // the guard of an access says that its address is in bounds
  return *found;
}

}  // namespace ambit::eval
