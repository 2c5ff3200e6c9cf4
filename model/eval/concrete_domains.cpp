#include "model/eval/concrete_domains.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "model/events/value_graph.h"

namespace ambit::eval {
namespace {

using events::Event;
using events::EventId;
using events::NodeId;
using Values = std::vector<Value>;

/// Adds `more` to the rising sequence `into`; true when it grew.
bool merge(Values& into, const Values& more) {
  const std::size_t before = into.size();
  for (const Value value : more) {
    const auto at = std::ranges::lower_bound(into, value);
    if (at == into.end() || *at != value) into.insert(at, value);
  }
  return into.size() != before;
}

class Follower {
 public:
  Follower(const events::EventGraph& graph, bool meet_requirements, Context& context)
      : graph_(graph), context_(context), cells_(graph.program->locations.size()), filters_(graph.size()) {
    result_.values.resize(graph.size());
    if (!meet_requirements) return;
    std::vector<NodeId> parts;
    for (const NodeId requirement : graph.requirements)
      events::collect_parts(graph.values, requirement, Op::LogicalAnd, parts);
    for (const NodeId part : parts) {
      context.poll(graph.values.size() / 50);
      events::EventSet reads(graph.size());
      graph.values.collect_reads(part, reads);
      if (reads.count() == 1) reads.for_each([&](EventId read) { filters_[read].push_back(part); });
    }
  }

  Domains follow() {
    std::size_t rounds = 1;
    for (EventId e = 0; e < graph_.size(); ++e) {
      const Event& event = graph_.events[e];
      if (!event.is_write()) continue;
      if (!graph_.values.is_constant(event.value)) {
        open_.push_back(e);
        ++rounds;
      } else {
        set_values(e, {graph_.values[event.value].constant});
      }
    }
    for (std::size_t round = 0; round < rounds && !result_.exploded; ++round) {
      bool changed = false;
      known_.assign(graph_.values.size(), false);
      sets_.resize(graph_.values.size());
      for (const EventId e : open_) changed = set_values(e, of_node(graph_.events[e].value)) || changed;
      if (!changed) break;
    }
    fill_reads();
    return std::move(result_);
  }

 private:
  bool set_values(EventId write, const Values& values) {
    context_.poll(10 + values.size() * graph_.events[write].locations.size());
    if (values.size() > kMaxValues) result_.exploded = true;
    if (!merge(result_.values[write], values)) return false;
    for (const LocationId location : graph_.events[write].locations) merge(cells_[location], values);
    return true;
  }

  void fill_reads() {
    for (EventId e = 0; e < graph_.size() && !result_.exploded; ++e) {
      const Event& event = graph_.events[e];
      if (!event.is_read()) continue;
      std::size_t count = 0;
      context_.poll(10 + event.locations.size());
      for (const LocationId location : event.locations) count += cells_[location].size();
      if (count > kMaxValues) {
        result_.exploded = true;
      } else {
        result_.values[e] = of_read(e);
      }
    }
  }

  Values of_read(EventId read) {
    const Event& event = graph_.events[read];
    Values result;
    if (!event.is_unconditional()) result.push_back(0);  // what a read that is not executed returns
    for (const LocationId location : event.locations) {
      context_.poll(10 + cells_[location].size() / 2);
      merge(result, cells_[location]);
    }
    std::erase_if(result, [&](Value value) { return !passes_filters(read, value); });
    return result;
  }

  Values of_choice(EventId choice) const {
    Values result(graph_.events[choice].alternatives);
    std::iota(result.begin(), result.end(), Value{0});
    return result;
  }

  /// Do the requirements that concern this read alone hold when it returns `value`?
  bool passes_filters(EventId read, Value value) {
    if (filters_[read].empty()) return true;
    context_.poll(graph_.values.size() / 20);
    filter_values_.assign(graph_.size(), 0);
    filter_values_[read] = value;
    events::evaluate(graph_.values, filter_values_, filter_nodes_);
    return std::ranges::all_of(filters_[read], [&](NodeId node) { return filter_nodes_[node] != 0; });
  }

  const Values& of_node(NodeId id) {
    if (!known_[id]) {
      Values result = compute(graph_.values[id]);
      if (result.size() > kMaxValues) {
        result_.exploded = true;
        result.resize(1);
      }
      sets_[id] = std::move(result);
      known_[id] = true;
    }
    return sets_[id];
  }

  Values compute(const events::ValueNode& node) {
    switch (node.op) {
      case Op::Const: return {node.constant};
      case Op::Register: return graph_.is_choice(node.read) ? of_choice(node.read) : of_read(node.read);
      case Op::Negate:
      case Op::BitNot:
      case Op::Cast: return combine(node, of_node(node.arguments[0]), {0}, 1);
      case Op::Select: {
        // The condition chooses between the arms by control, not by data: both count.
        Values result = of_node(node.arguments[1]);
        merge(result, of_node(node.arguments[2]));
        return result;
      }
      default: break;
    }
    if (is_boolean(node.op)) return {0, 1};
    const Values left = of_node(node.arguments[0]);
    return combine(node, left, of_node(node.arguments[1]), 2);
  }

  /// All results of the operator on values of the two sets.
  Values combine(const events::ValueNode& node, const Values& left, const Values& right, std::size_t arity) {
    Values result;
    result.reserve(left.size() * right.size());
    if (left.size() * right.size() > kMaxValues * 16) {
      result_.exploded = true;
      return {0};
    }
    for (const Value a : left) {
      context_.poll(right.size() / 5);
      for (const Value b : right) {
        const std::array<Value, 2> arguments = {a, b};
        result.push_back(apply(node.op, node.type, std::span(arguments).first(arity)));
      }
    }
    std::ranges::sort(result);
    result.erase(std::unique(result.begin(), result.end()), result.end());
    return result;
  }

  const events::EventGraph& graph_;
  Context& context_;
  Domains result_;
  std::vector<Values> cells_;                 ///< by location: what its writes may have left there
  std::vector<EventId> open_;                 ///< writes whose value is not constant
  std::vector<std::vector<NodeId>> filters_;  ///< by read: requirements that depend on it alone
  Values filter_values_;
  Values filter_nodes_;
  std::vector<bool> known_;
  std::vector<Values> sets_;
};

}  // namespace

Domains find_domains(const events::EventGraph& graph, bool meet_requirements, Context& context) {
  return Follower(graph, meet_requirements, context).follow();
}

bool intersect(const std::vector<Value>& a, const std::vector<Value>& b) {
  auto in_a = a.begin();
  auto in_b = b.begin();
  while (in_a != a.end() && in_b != b.end()) {
    if (*in_a == *in_b) return true;
    ++(*in_a < *in_b ? in_a : in_b);
  }
  return false;
}

}  // namespace ambit::eval
