#include "model/smt/domains.h"

#include <algorithm>

namespace ambit::smt {

using events::EventId;
using events::NodeId;
using events::ValueGraph;
using events::ValueNode;

namespace {

/// Combinations of argument values tried for one node before giving up.
constexpr std::size_t kMaxCombinations = std::size_t{1} << 20U;

void normalize(std::vector<Value>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

}  // namespace

std::span<const EventId> sources_of(const Candidates& candidates, EventId read) {
  return read >= kFinal ? candidates.writes[read - kFinal] : candidates.sources[read];
}

Domains::Domains(const events::EventGraph& graph, const ValueGraph& values, const Candidates& candidates,
                 std::span<const NodeId> roots)
    : graph_(graph), values_(values), candidates_(candidates), needed_(values.size(), false), domains_(values.size()) {
  mark(roots);
  std::size_t dependent_writes = 0;
  for (const auto& event : graph.events) {
    if (event.is_write() && needed_[event.value] && !values.is_constant(event.value)) ++dependent_writes;
  }
  for (std::size_t i = 0; i < dependent_writes + 3 && !overflow_; ++i) {
    if (!round()) break;
  }
}

void Domains::mark(std::span<const NodeId> roots) {
  std::vector<NodeId> open(roots.begin(), roots.end());
  while (!open.empty()) {
    const NodeId node = open.back();
    open.pop_back();
    if (needed_[node]) continue;
    needed_[node] = true;
    order_.push_back(node);
    const ValueNode& n = values_[node];
    for (std::size_t i = 0; i < arity(n.op); ++i) open.push_back(n.arguments[i]);
    if (n.op != Op::Register) continue;
    for (const EventId w : sources_of(candidates_, n.read)) open.push_back(graph_.events[w].value);
  }
  std::sort(order_.begin(), order_.end());
}

bool Domains::round() {
  bool changed = false;
  std::vector<Value> fresh;
  for (const NodeId node : order_) {
    fresh.clear();
    compute(node, fresh);
    normalize(fresh);
    if (fresh.size() > kMaxDomain) overflow_ = true;
    if (overflow_) return false;
    if (fresh == domains_[node]) continue;
    changed = true;
    domains_[node] = fresh;
  }
  return changed;
}

void Domains::compute(NodeId node, std::vector<Value>& out) {
  const ValueNode& n = values_[node];
  if (n.op == Op::Const) {
    out.push_back(n.constant);
    return;
  }
  if (n.op != Op::Register) {
    combine(n, out);
    return;
  }
  // A read that is not executed counts as 0 wherever its value should matter.
  if (n.read < kFinal && !graph_.events[n.read].is_unconditional()) out.push_back(0);
  for (const EventId w : sources_of(candidates_, n.read)) {
    const auto& written = domains_[graph_.events[w].value];
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
    for (const Value b : second) {
      if (same && a != b) continue;
      const Value arguments[] = {a, b};
      out.push_back(apply(n.op, n.type, arguments));
    }
    if (out.size() > 4 * kMaxDomain) normalize(out);
  }
}

}  // namespace ambit::smt
