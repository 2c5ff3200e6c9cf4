#include "model/smt/witness_reader.h"

#include <algorithm>
#include <utility>

#include "base/assert.h"

namespace ambit::smt {

using events::EventId;
using events::Execution;
using events::kNoEvent;

namespace {

bool holds(const std::vector<bool>& values, Lit literal) {
  return values[static_cast<std::size_t>(literal < 0 ? -literal : literal)] == (literal > 0);
}

/// Returns all nodes in a topological order of the edges, with smaller numbers first if possible.
std::vector<EventId> topological_order(std::size_t nodes, const std::vector<Edge>& edges) {
  std::vector<std::vector<EventId>> out(nodes);
  std::vector<std::size_t> waiting(nodes, 0);
  for (const Edge& e : edges) {
    out[e.from].push_back(e.to);
    ++waiting[e.to];
  }
  std::vector<EventId> ready;
  for (EventId e = static_cast<EventId>(nodes); e-- > 0;) {
    if (waiting[e] == 0) ready.push_back(e);
  }
  std::vector<EventId> result;
  while (!ready.empty()) {
    const EventId e = ready.back();
    ready.pop_back();
    result.push_back(e);
    for (const EventId next : out[e]) {
      if (--waiting[next] == 0) ready.push_back(next);
    }
  }
  AMBIT_ASSERT(result.size() == nodes);
  return result;
}

}  // namespace

WitnessReader::WitnessReader(const events::EventGraph& graph, const rules::Rules& rules, const Candidates& candidates,
                             const Choices& choices, Encoder& encoder)
    : graph_(graph), rules_(rules), candidates_(candidates), choices_(choices), encoder_(encoder) {
  for (const rules::OrderDeclaration& order : rules.orders) {
    members_.emplace_back();
    for (EventId e = 0; e < graph.size(); ++e) {
      members_.back().push_back(encoder.literal(order.set, e, e, Use::Presence));
    }
  }
}

Execution WitnessReader::read(const std::vector<bool>& values) const {
  const std::size_t n = graph_.size();
  Execution result;
  result.executed = events::EventSet(n);
  result.values.assign(n, 0);
  result.locations.assign(n, 0);
  result.reads_from.assign(n, kNoEvent);
  std::vector<Value> nodes;
  read_values(values, result, nodes);
  for (EventId e = 0; e < n; ++e) {
    const events::Event& event = graph_.events[e];
    if (nodes[event.guard] == 0) continue;
    result.executed.insert(e);
    if (!event.is_access()) continue;
    result.values[e] = nodes[event.value];
    const auto location = graph_.program->location_at(nodes[event.address]);
    AMBIT_ASSERT(location.has_value());
    result.locations[e] = *location;
  }
  read_coherence(values, result);
  read_orders(values, result);
  return result;
}

void WitnessReader::read_values(const std::vector<bool>& values, Execution& execution,
                                std::vector<Value>& nodes) const {
  for (EventId r = 0; r < graph_.size(); ++r) {
    for (const EventId w : candidates_.sources[r]) {
      if (holds(values, choices_.reads_from(w, r))) execution.reads_from[r] = w;
    }
  }
  std::vector<std::pair<EventId, Value>> chosen;
  for (EventId e = 0; e < graph_.size(); ++e) {
    if (!graph_.is_choice(e)) continue;
    const std::vector<Lit>& alternatives = choices_.alternatives(e);
    const auto found = std::ranges::find_if(alternatives, [&](Lit l) { return holds(values, l); });
    chosen.emplace_back(e, static_cast<Value>(found - alternatives.begin()));
    execution.values[e] = chosen.back().second;
  }
  // Values are grounded. So each round computes the reads that are one reads-from edge further away from constants.
  std::vector<Value>& read = execution.values;
  for (std::size_t round = 0; round <= graph_.size() + 1; ++round) {
    events::evaluate(graph_.values, read, nodes);
    bool changed = false;
    for (EventId r = 0; r < graph_.size(); ++r) {
      if (execution.reads_from[r] == kNoEvent) continue;
      const Value value = nodes[graph_.events[execution.reads_from[r]].value];
      changed = changed || value != read[r];
      read[r] = value;
    }
    if (!changed) break;
  }
  std::fill(read.begin(), read.end(), 0);
  for (const auto& [e, value] : chosen) read[e] = value;
}

void WitnessReader::read_coherence(const std::vector<bool>& values, Execution& execution) const {
  const std::vector<EventId> order = topological_order(graph_.size(), choices_.coherence().chosen(values));
  execution.coherence.resize(graph_.program->locations.size());
  for (LocationId l = 0; l < execution.coherence.size(); ++l) execution.coherence[l].push_back(l);
  for (const EventId e : order) {
    if (!graph_.events[e].is_write() || graph_.events[e].kind == events::EventKind::InitialWrite) continue;
    if (execution.executed.contains(e)) execution.coherence[execution.locations[e]].push_back(e);
  }
}

void WitnessReader::read_orders(const std::vector<bool>& values, Execution& execution) const {
  for (std::uint32_t o = 0; o < rules_.orders.size(); ++o) {
    execution.orders.emplace_back();
    for (const EventId e : topological_order(graph_.size(), encoder_.order(o).chosen(values))) {
      if (holds(values, members_[o][e])) execution.orders.back().push_back(e);
    }
  }
}

}  // namespace ambit::smt
