#include "model/eval/concrete_domains.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <numeric>

#include "model/events/update_values.h"
#include "model/events/value_graph.h"

namespace ambit::eval {
namespace {

using events::Event;
using events::EventId;
using events::NodeId;
using Values = std::vector<Value>;

/// Adds the increasing sequence `more` to the increasing sequence `into`. Returns true if `into` grew.
bool merge(Values& into, const Values& more) {
  if (std::ranges::includes(into, more)) return false;
  Values both;
  both.reserve(into.size() + more.size());
  std::ranges::set_union(into, more, std::back_inserter(both));
  into.swap(both);
  return true;
}

class Follower {
 public:
  Follower(const events::EventGraph& graph, bool meet_requirements, Context& context, std::size_t most)
      : graph_(graph), context_(context), most_(most), cells_(graph.program->locations.size()), filters_(graph.size()) {
    result_.values.resize(graph.size());
    if (!meet_requirements) return;
    std::vector<NodeId> parts;
    for (const NodeId requirement : graph.requirements)
      events::collect_parts(graph.values, requirement, Op::LogicalAnd, parts);
    for (const NodeId part : parts) {
      context.poll(graph.values.size() / 50);
      events::EventSet reads(graph.size());
      graph.values.collect_reads(part, reads);
      if (reads.count() != 1) continue;
      reads.for_each([&](EventId read) { filters_[read].push_back({part, events::needed_nodes(graph.values, part)}); });
    }
  }

  Domains follow() {
    updates_ = events::values_of_updates(graph_, context_);
    std::size_t rounds = 1;
    for (EventId e = 0; e < graph_.size(); ++e) {
      const Event& event = graph_.events[e];
      if (!event.is_write()) continue;
      if (const auto known = updates_.find(event.rmw_partner); known != updates_.end()) {
        set_values(e, images(e, known->second));
      } else if (!graph_.values.is_constant(event.value)) {
        open_.push_back(e);
        steps_.push_back(is_step(event));
        ++rounds;
      } else {
        set_values(e, {graph_.values[event.value].constant});
      }
    }
    followed_.resize(open_.size());
    needed_.resize(open_.size());
    for (std::size_t round = 0; round < rounds && !result_.exploded; ++round) {
      bool changed = false;
      known_.assign(graph_.values.size(), false);
      sets_.resize(graph_.values.size());
      for (std::size_t i = 0; i < open_.size() && !result_.exploded; ++i) {
        const EventId e = open_[i];
        const bool grew =
            steps_[i] ? set_values(e, new_values_of_step(i)) : set_values(e, of_node(graph_.events[e].value));
        changed = grew || changed;
      }
      if (!changed) break;
    }
    fill_reads();
    return std::move(result_);
  }

 private:
  /// Returns whether the write is a step: it belongs to a read-modify-write and its value depends only on the value
  /// read, as in an operation on an mbarrier. The analysis handles each value of the read separately, so that it can
  /// evaluate the conditions that select the written value.
  bool is_step(const Event& write) const {
    if (write.rmw_partner == events::kNoEvent) return false;
    events::EventSet reads(graph_.size());
    graph_.values.collect_reads(write.value, reads);
    return reads.count() == 1 && reads.contains(write.rmw_partner) && !graph_.is_choice(write.rmw_partner);
  }

  /// Returns the values that the step writes for those values of its read that are new in this round.
  Values new_values_of_step(std::size_t i) {
    const Event& write = graph_.events[open_[i]];
    Values all = of_read(write.rmw_partner);
    Values fresh;
    std::ranges::set_difference(all, followed_[i], std::back_inserter(fresh));
    followed_[i] = std::move(all);
    if (needed_[i].empty()) needed_[i] = events::needed_nodes(graph_.values, write.value);
    return images(open_[i], fresh, needed_[i]);
  }

  /// Returns the values that a step writes if it reads the values `read`.
  Values images(EventId step, const Values& read) {
    return images(step, read, events::needed_nodes(graph_.values, graph_.events[step].value));
  }
  Values images(EventId step, const Values& read, const std::vector<NodeId>& needed) {
    const Event& write = graph_.events[step];
    Values result;
    read_values_.resize(graph_.size());
    for (const Value value : read) {
      context_.poll(needed.size());
      read_values_[write.rmw_partner] = value;
      events::evaluate(graph_.values, needed, read_values_, node_values_);
      result.push_back(node_values_[write.value]);
    }
    std::ranges::sort(result);
    result.erase(std::unique(result.begin(), result.end()), result.end());
    return result;
  }

  bool set_values(EventId write, const Values& values) {
    context_.poll(10 + values.size() * graph_.events[write].locations.size());
    if (values.size() > most_) result_.exploded = true;
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
      if (count > most_) {
        result_.exploded = true;
      } else {
        result_.values[e] = of_read(e);
      }
    }
  }

  Values of_read(EventId read) {
    const Event& event = graph_.events[read];
    Values result;
    if (!event.is_unconditional()) result.push_back(0);  // a read that is not executed has the value 0
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

  /// Returns whether all requirements that depend only on this read hold if the read returns `value`.
  bool passes_filters(EventId read, Value value) {
    return std::ranges::all_of(filters_[read], [&](const Filter& filter) {
      context_.poll(filter.needed.size() / 20 + 1);
      read_values_.resize(graph_.size());
      read_values_[read] = value;
      events::evaluate(graph_.values, filter.needed, read_values_, node_values_);
      return node_values_[filter.node] != 0;
    });
  }

  const Values& of_node(NodeId id) {
    if (!known_[id]) {
      Values result = compute(graph_.values[id]);
      if (result.size() > most_) {
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
        // The analysis ignores the condition, so the result contains the values of both arms.
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

  /// Applies the operator to each pair of values from the two sets and returns all results.
  Values combine(const events::ValueNode& node, const Values& left, const Values& right, std::size_t arity) {
    Values result;
    result.reserve(left.size() * right.size());
    if (left.size() * right.size() > most_ * 16) {
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
    if (!std::ranges::is_sorted(result)) std::ranges::sort(result);
    result.erase(std::unique(result.begin(), result.end()), result.end());
    return result;
  }

  const events::EventGraph& graph_;
  Context& context_;
  std::size_t most_;
  Domains result_;
  std::vector<Values> cells_;  ///< for each location, the values that its writes may store
  std::vector<EventId> open_;  ///< writes whose values are not constant
  std::vector<bool> steps_;    ///< for each open write, whether it is a step
  /// For each open write that is a step, those values of its read that have already been handled.
  std::vector<Values> followed_;
  /// For each open write that is a step, the nodes on which its value depends.
  std::vector<std::vector<NodeId>> needed_;
  std::map<EventId, Values> updates_;  ///< the result of events::values_of_updates()
  Values read_values_;
  Values node_values_;
  struct Filter {
    NodeId node;
    std::vector<NodeId> needed;  ///< the nodes on which the requirement depends
  };
  std::vector<std::vector<Filter>> filters_;  ///< for each read, the requirements that depend only on the read
  std::vector<bool> known_;
  std::vector<Values> sets_;
};

}  // namespace

Domains find_domains(const events::EventGraph& graph, bool meet_requirements, Context& context, std::size_t most) {
  return Follower(graph, meet_requirements, context, most).follow();
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
