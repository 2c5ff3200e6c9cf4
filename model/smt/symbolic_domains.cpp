#include "model/smt/symbolic_domains.h"

#include <algorithm>
#include <utility>

#include "model/smt/acyclicity.h"

namespace ambit::smt {

using events::EventId;
using events::NodeId;
using events::ValueGraph;
using events::ValueNode;

namespace {

/// Limit on the number of combinations of argument values for one node.
constexpr std::size_t kMaxCombinations = std::size_t{1} << 20U;

void normalize(std::vector<Value>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

}  // namespace

std::span<const EventId> sources_of(const Candidates& candidates, EventId read) {
  return read >= kFinal ? candidates.last[read - kFinal] : candidates.sources[read];
}

Domains::Domains(const events::EventGraph& graph, const ValueGraph& values, const Candidates& candidates,
                 const KnownReads& known_reads, std::span<const NodeId> roots, Context& context)
    : graph_(graph),
      values_(values),
      candidates_(candidates),
      known_reads_(known_reads),
      context_(context),
      needed_(values.size(), false),
      domains_(values.size()) {
  mark(roots);
  std::vector<Edge> needs;
  for (const NodeId node : order_) {
    if (values_[node].op == Op::Register && known_reads_.contains(values_[node].read)) continue;
    for_each_needed(node, [&](NodeId other) { needs.push_back({node, other, kTrue}); });
  }
  // A component has a higher number than the components on which it depends.
  const Components components = strong_components(values.size(), needs);
  std::vector<Component> members(components.cyclic.size());
  for (const NodeId node : order_) members[components.of[node]].nodes.push_back(node);
  for (const auto& event : graph.events) {
    if (event.is_write() && needed_[event.value]) ++members[components.of[event.value]].writes;
  }
  for (std::size_t c = 0; c < members.size() && !overflow_; ++c) {
    const std::size_t rounds = components.cyclic[c] ? members[c].writes + 1 : 1;
    for (std::size_t i = 0; i < rounds && !overflow_; ++i) {
      if (!round(members[c].nodes)) break;
    }
  }
}

template <typename Function>
void Domains::for_each_needed(NodeId node, Function&& function) const {
  const ValueNode& n = values_[node];
  for (std::size_t i = 0; i < arity(n.op); ++i) function(n.arguments[i]);
  if (n.op != Op::Register) return;
  for (const EventId w : sources_of(candidates_, n.read)) function(graph_.events[w].value);
}

void Domains::mark(std::span<const NodeId> roots) {
  std::vector<NodeId> open(roots.begin(), roots.end());
  while (!open.empty()) {
    const NodeId node = open.back();
    open.pop_back();
    if (needed_[node]) continue;
    needed_[node] = true;
    order_.push_back(node);
    for_each_needed(node, [&](NodeId other) { open.push_back(other); });
  }
  std::sort(order_.begin(), order_.end());
}

bool Domains::round(const std::vector<NodeId>& nodes) {
  const auto is_read = [&](NodeId node) { return values_[node].op == Op::Register; };
  std::vector<std::pair<NodeId, std::vector<Value>>> reads;
  for (const NodeId node : nodes) {
    if (is_read(node)) reads.emplace_back(node, compute(node));
  }
  bool changed = false;
  const auto settle = [&](NodeId node, std::vector<Value> domain) {
    overflow_ = overflow_ || domain.size() > kMaxDomain;
    changed = changed || domain != domains_[node];
    domains_[node] = std::move(domain);
  };
  for (auto& [node, domain] : reads) settle(node, std::move(domain));
  for (const NodeId node : nodes) {
    if (!is_read(node) && !overflow_) settle(node, compute(node));
  }
  return changed;
}

std::vector<Value> Domains::compute(NodeId node) {
  std::vector<Value> result;
  const ValueNode& n = values_[node];
  if (n.op == Op::Const) {
    result.push_back(n.constant);
  } else if (n.op == Op::Register) {
    collect(n, result);
  } else {
    combine(n, result);
  }
  context_.poll(10 + result.size() / 10);
  normalize(result);
  return result;
}

void Domains::collect(const ValueNode& n, std::vector<Value>& out) {
  if (const auto known = known_reads_.find(n.read); known != known_reads_.end()) {
    out = known->second;
    return;
  }
  if (n.read < kFinal && graph_.is_choice(n.read)) {
    for (Value v = 0; v < static_cast<Value>(graph_.events[n.read].alternatives); ++v) out.push_back(v);
    return;
  }
  // A read that is not executed has the value 0.
  if (n.read < kFinal && !graph_.events[n.read].is_unconditional()) out.push_back(0);
  for (const EventId w : sources_of(candidates_, n.read)) {
    const auto& written = domains_[graph_.events[w].value];
    context_.poll(written.size() / 50);
    out.insert(out.end(), written.begin(), written.end());
    if (out.size() > 4 * kMaxDomain) normalize(out);
  }
}

void Domains::combine(const ValueNode& n, std::vector<Value>& out) {
  const auto& first = domains_[n.arguments[0]];
  if (n.op == Op::Select) {
    const bool can_hold = std::ranges::any_of(first, [](Value v) { return v != 0; });
    const bool can_fail = std::ranges::binary_search(first, Value{0});
    const auto& then_values = domains_[n.arguments[1]];
    const auto& else_values = domains_[n.arguments[2]];
    if (can_hold) out.insert(out.end(), then_values.begin(), then_values.end());
    if (can_fail) out.insert(out.end(), else_values.begin(), else_values.end());
    return;
  }
  if (arity(n.op) == 1) {
    for (const Value v : first) {
      const Value arguments[] = {v};
      out.push_back(apply(n.op, n.type, arguments));
    }
    return;
  }
  const auto& second = domains_[n.arguments[1]];
  if (first.size() * second.size() > kMaxCombinations) {
    overflow_ = true;
    return;
  }
  const bool same = n.arguments[0] == n.arguments[1];
  for (const Value a : first) {
    context_.poll(second.size() / 10);
    for (const Value b : second) {
      if (same && a != b) continue;
      const Value arguments[] = {a, b};
      out.push_back(apply(n.op, n.type, arguments));
    }
    if (out.size() > 4 * kMaxDomain) normalize(out);
  }
}

}  // namespace ambit::smt
