#include "model/smt/values.h"

#include <algorithm>

#include "base/assert.h"

namespace ambit::smt {

using events::EventId;
using events::NodeId;
using events::ValueGraph;
using events::ValueNode;

Values::Values(const events::EventGraph& graph, const Candidates& candidates, Choices& choices, Literals& literals)
    : graph_(graph),
      candidates_(candidates),
      choices_(choices),
      literals_(literals),
      nodes_(graph.values),
      self_dependent_(graph.size(), false) {}

NodeId Values::observable(std::size_t index) {
  const Observable& observable = graph_.program->observables[index];
  if (observable.kind == Observable::Kind::Register) return graph_.observables[index];
  return nodes_.read(kFinal + observable.location, observable.type);
}

NodeId Values::compile(const Expr& expression) {
  if (expression.op == Op::Const) return nodes_.constant(expression.constant, expression.type);
  if (expression.op == Op::Register) return observable(expression.reg);
  std::vector<NodeId> arguments;
  arguments.reserve(expression.arguments.size());
  for (const Expr& argument : expression.arguments) arguments.push_back(compile(argument));
  return nodes_.make(expression.op, expression.type, arguments);
}

bool Values::prepare(std::vector<NodeId> roots, const KnownReads& known_reads) {
  for (const events::Event& event : graph_.events) {
    if (!event.is_unconditional()) roots.push_back(event.guard);
    if (event.is_access() && event.locations.size() != 1) roots.push_back(event.cell);
  }
  domains_.emplace(graph_, nodes_, candidates_, known_reads, roots, literals_.context());
  known_.resize(nodes_.size());
  if (domains_->overflow()) return false;
  find_self_dependent();
  return true;
}

void Values::find_self_dependent() {
  std::vector<Edge> edges;
  const auto add = [&](EventId read, NodeId node) {
    if (graph_.values.is_constant(node)) return;
    literals_.context().poll(graph_.values.size() / 50);
    events::EventSet reads(graph_.size());
    graph_.values.collect_reads(node, reads);
    reads.for_each([&](EventId other) { edges.push_back({read, other, kTrue}); });
  };
  for (EventId r = 0; r < graph_.size(); ++r) {
    const events::Event& read = graph_.events[r];
    if (!read.is_read() || !domains_->is_needed(read.value)) continue;
    if (!read.is_unconditional()) add(r, read.guard);
    for (const EventId w : candidates_.sources[r]) add(r, graph_.events[w].value);
  }
  if (edges.empty()) return;
  const Components components = strong_components(graph_.size(), edges);
  for (EventId r = 0; r < graph_.size(); ++r) self_dependent_[r] = components.cyclic[components.of[r]];
}

Lit Values::at(EventId event, LocationId location) {
  const events::Event& e = graph_.events[event];
  if (!std::ranges::binary_search(e.locations, location)) return kFalse;
  if (e.locations.size() == 1) return kTrue;
  const Location& cell = graph_.program->locations[location];
  return equals(e.cell, make_address(cell.object, cell.index));
}

Lit Values::same_location(EventId a, EventId b) {
  const auto& first = graph_.events[a].locations;
  const auto& second = graph_.events[b].locations;
  if (first.size() == 1 && second.size() == 1) return first.front() == second.front() ? kTrue : kFalse;
  std::vector<Lit> ways;
  ways.reserve(first.size());
  for (const LocationId l : first) ways.push_back(literals_.all_of({at(a, l), at(b, l)}));
  return literals_.any_of(ways);
}

Lit Values::source(EventId write, EventId read) {
  return read >= kFinal ? last(write, read - kFinal) : choices_.reads_from(write, read);
}

Lit Values::last(EventId write, LocationId location) {
  std::vector<Lit> parts = {executed(write), at(write, location)};
  for (const EventId other : candidates_.writes[location]) {
    if (other == write) continue;
    const Lit later = literals_.all_of({executed(other), at(other, location), choices_.older(write, other)});
    parts.push_back(-later);
  }
  return literals_.all_of(parts);
}

Lit Values::equals(NodeId node, Value value) {
  const auto& domain = domains_->of(node);
  const auto at = std::ranges::lower_bound(domain, value);
  if (at == domain.end() || *at != value) return kFalse;
  return literals_of(node)[static_cast<std::size_t>(at - domain.begin())];
}

Lit Values::truth(NodeId node) {
  if (node == ValueGraph::kTrue) return kTrue;
  if (node == ValueGraph::kFalse) return kFalse;
  if (domains_->of(node).empty()) return kFalse;  // the node has no grounded value, so its event cannot be executed
  return -equals(node, 0);
}

const std::vector<Lit>& Values::literals_of(NodeId node) {
  if (known_[node].empty()) {
    std::vector<Lit> made = make(node);
    if (known_[node].empty()) known_[node] = std::move(made);
  }
  return known_[node];
}

std::vector<Lit> Values::make(NodeId node) {
  AMBIT_ASSERT(domains_->is_needed(node));
  const auto& domain = domains_->of(node);
  if (domain.size() == 1) return {kTrue};
  const ValueNode& n = nodes_[node];
  if (n.op == Op::Register) return make_read(node);
  if (const std::optional<Lit> truth = boolean_truth(n)) return make_boolean(*truth, domain);
  if (n.op == Op::Select) return make_select(n, domain);
  return make_general(n, domain);
}

std::vector<Lit> Values::make_boolean(Lit truth, const std::vector<Value>& domain) const {
  std::vector<Lit> result;
  result.reserve(domain.size());
  for (const Value v : domain) result.push_back(v != 0 ? truth : -truth);
  return result;
}

std::vector<Lit> Values::make_read(NodeId node) {
  const EventId read = nodes_[node].read;
  const auto& domain = domains_->of(node);
  if (read < kFinal && graph_.is_choice(read)) return choices_.alternatives(read);
  if (read < kFinal && self_dependent_[read]) {
    tied_.push_back(node);
    if (domain.size() == 2) {
      const Lit first = literals_.fresh();
      return {first, -first};
    }
    std::vector<Lit> result;
    result.reserve(domain.size());
    for (std::size_t i = 0; i < domain.size(); ++i) result.push_back(literals_.fresh());
    return result;
  }
  std::vector<std::vector<Lit>> ways(domain.size());
  for (const EventId w : sources_of(candidates_, read)) {
    const Lit from = source(w, read);
    for (std::size_t i = 0; i < domain.size(); ++i) {
      const Lit way = literals_.all_of({from, equals(graph_.events[w].value, domain[i])});
      if (way != kFalse) ways[i].push_back(way);
    }
  }
  std::vector<Lit> result;
  for (std::size_t i = 0; i < domain.size(); ++i) {
    if (domain[i] == 0 && read < kFinal) ways[i].push_back(-executed(read));
    result.push_back(literals_.any_of(ways[i]));
  }
  return result;
}

std::optional<Lit> Values::boolean_truth(const ValueNode& n) {
  if (n.op == Op::LogicalNot) return -truth(n.arguments[0]);
  if (n.op == Op::LogicalAnd) return literals_.all_of({truth(n.arguments[0]), truth(n.arguments[1])});
  if (n.op == Op::LogicalOr) return literals_.any_of({truth(n.arguments[0]), truth(n.arguments[1])});
  if (!is_boolean(n.op)) return std::nullopt;
  std::vector<Lit> ways;
  for (const Value a : domain(n.arguments[0])) {
    std::vector<Lit> partners;
    for (const Value b : domain(n.arguments[1])) {
      if (n.arguments[0] == n.arguments[1] && a != b) continue;
      const Value arguments[] = {a, b};
      if (apply(n.op, n.type, arguments) != 0) partners.push_back(equals(n.arguments[1], b));
    }
    ways.push_back(literals_.all_of({equals(n.arguments[0], a), literals_.any_of(partners)}));
  }
  return literals_.any_of(ways);
}

std::vector<Lit> Values::make_select(const ValueNode& n, const std::vector<Value>& domain) {
  const Lit condition = truth(n.arguments[0]);
  std::vector<Lit> result;
  for (const Value v : domain) {
    const Lit if_true = literals_.all_of({condition, equals(n.arguments[1], v)});
    const Lit if_false = literals_.all_of({-condition, equals(n.arguments[2], v)});
    result.push_back(literals_.any_of({if_true, if_false}));
  }
  return result;
}

std::vector<Lit> Values::make_general(const ValueNode& n, const std::vector<Value>& domain) {
  std::vector<std::vector<Lit>> ways(domain.size());
  const auto add = [&](Value value, Lit way) {
    const auto at = std::ranges::lower_bound(domain, value);
    if (at != domain.end() && *at == value) ways[static_cast<std::size_t>(at - domain.begin())].push_back(way);
  };
  const std::vector<Value> first = this->domain(n.arguments[0]);
  if (arity(n.op) == 1) {
    for (const Value a : first) {
      const Value arguments[] = {a};
      add(apply(n.op, n.type, arguments), equals(n.arguments[0], a));
    }
  } else {
    for (const Value a : first) {
      for (const Value b : this->domain(n.arguments[1])) {
        if (n.arguments[0] == n.arguments[1] && a != b) continue;
        const Value arguments[] = {a, b};
        add(apply(n.op, n.type, arguments), literals_.all_of({equals(n.arguments[0], a), equals(n.arguments[1], b)}));
      }
    }
  }
  std::vector<Lit> result;
  result.reserve(ways.size());
  for (const auto& alternatives : ways) result.push_back(literals_.any_of(alternatives));
  return result;
}

void Values::finish() {
  while (!tied_.empty()) {
    const NodeId node = tied_.back();
    tied_.pop_back();
    tie(node);
  }
}

void Values::tie(NodeId node) {
  const EventId read = nodes_[node].read;
  const std::vector<Value>& domain = domains_->of(node);
  const std::vector<Lit> own = known_[node];
  AMBIT_ASSERT(own.size() == domain.size());
  for (const EventId w : candidates_.sources[read]) {
    const Lit from = choices_.reads_from(w, read);
    for (const Value v : domains_->of(graph_.events[w].value)) {
      const Lit written = equals(graph_.events[w].value, v);
      const auto at = std::ranges::lower_bound(domain, v);
      const bool is_own = at != domain.end() && *at == v;
      const Lit mine = is_own ? own[static_cast<std::size_t>(at - domain.begin())] : kFalse;
      literals_.require({-from, -mine, written});
      literals_.require({-from, mine, -written});
    }
  }
  // The preceding clauses imply this literal, but a proof would enumerate all executions.
  literals_.require(own);
  literals_.require_at_most_one(own);
  const Lit runs = executed(read);
  for (std::size_t i = 0; i < domain.size(); ++i) literals_.require({runs, domain[i] == 0 ? own[i] : -own[i]});
}

}  // namespace ambit::smt
