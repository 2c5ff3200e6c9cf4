#include "tests/unit/eval/brute_force.h"

#include <algorithm>
#include <cstddef>
#include <set>

#include "model/eval/evaluator.h"

namespace ambit::eval::testing {
namespace {

using events::EventGraph;
using events::EventId;
using events::Execution;
using events::kNoEvent;

class Force {
 public:
  Force(const EventGraph& graph, const rules::Rules& rules)
      : graph_(graph), rules_(rules), flagged_(rules.flags.size()) {
    for (EventId e = 0; e < graph.size(); ++e) {
      if (graph.events[e].is_read()) reads_.push_back(e);
    }
    source_.assign(graph.size(), kNoEvent);
  }

  BruteForce run() {
    choose_source(0);
    result_.outcomes.assign(outcomes_.begin(), outcomes_.end());
    for (const auto& pairs : flagged_) {
      auto& listed = result_.flags.emplace_back();
      for (const auto& [a, b] : pairs) {
        if (a <= b || !pairs.contains({b, a})) listed.emplace_back(a, b);
      }
    }
    return std::move(result_);
  }

 private:
  void choose_source(std::size_t index) {
    if (index == reads_.size()) return complete_sources();
    choose_source(index + 1);  // not executed
    for (EventId w = 0; w < graph_.size(); ++w) {
      if (!graph_.events[w].is_write()) continue;
      source_[reads_[index]] = w;
      choose_source(index + 1);
    }
    source_[reads_[index]] = kNoEvent;
  }

  void complete_sources() {
    Execution execution;
    execution.executed = events::EventSet(graph_.size());
    execution.reads_from = source_;
    execution.values.assign(graph_.size(), 0);
    execution.locations.assign(graph_.size(), 0);
    std::vector<Value> nodes;
    // If no value depends on itself, one round for each read is enough to compute the values. find_flaw rejects all
    // other candidates.
    for (std::size_t round = 0; round <= reads_.size(); ++round) {
      events::evaluate(graph_.values, execution.values, nodes);
      for (const EventId read : reads_) {
        execution.values[read] = source_[read] == kNoEvent ? 0 : nodes[graph_.events[source_[read]].value];
      }
    }
    events::evaluate(graph_.values, execution.values, nodes);
    std::vector<std::vector<EventId>> writes(graph_.program->locations.size());
    for (EventId e = 0; e < graph_.size(); ++e) {
      const events::Event& event = graph_.events[e];
      if (nodes[event.guard] == 0) continue;
      execution.executed.insert(e);
      if (!event.is_access()) continue;
      const auto location = graph_.program->location_at(nodes[event.address]);
      if (!location) return;
      execution.locations[e] = *location;
      if (event.is_write()) {
        execution.values[e] = nodes[event.value];
        writes[*location].push_back(e);
      }
    }
    execution.coherence = std::move(writes);
    choose_coherence(execution, 0);
  }

  void choose_coherence(Execution& execution, std::size_t location) {
    if (location == execution.coherence.size()) {
      execution.orders.clear();
      accepted_ = false;
      choose_order(execution, 0);
      if (accepted_) ++result_.executions;
      return;
    }
    auto& writes = execution.coherence[location];
    std::sort(writes.begin() + 1, writes.end());
    do {
      choose_coherence(execution, location + 1);
    } while (std::next_permutation(writes.begin() + 1, writes.end()));
  }

  void choose_order(Execution& execution, std::size_t order) {
    if (order == rules_.orders.size()) return inspect(execution);
    const auto members = events::domain(evaluate_term(graph_, rules_, execution, rules_.orders[order].set));
    std::vector<EventId> sequence;
    members.for_each([&](EventId e) { sequence.push_back(e); });
    do {
      execution.orders.push_back(sequence);
      choose_order(execution, order + 1);
      execution.orders.pop_back();
    } while (std::next_permutation(sequence.begin(), sequence.end()));
  }

  void inspect(const Execution& execution) {
    if (find_flaw(graph_, rules_, execution)) return;
    accepted_ = true;
    std::vector<Value> nodes;
    outcomes_.insert(events::outcome_of(graph_, execution, nodes));
    const Evaluation evaluation = evaluate(graph_, rules_, execution);
    for (std::size_t i = 0; i < flagged_.size(); ++i) {
      evaluation.flag_pairs[i].for_each([&](EventId a, EventId b) { flagged_[i].emplace(a, b); });
    }
  }

  const EventGraph& graph_;
  const rules::Rules& rules_;
  std::vector<EventId> reads_;
  std::vector<EventId> source_;
  std::set<events::Outcome> outcomes_;
  std::vector<std::set<std::pair<EventId, EventId>>> flagged_;
  bool accepted_ = false;
  BruteForce result_;
};

double factorial(std::size_t n) {
  double result = 1;
  for (std::size_t i = 2; i <= n; ++i) result *= static_cast<double>(i);
  return result;
}

}  // namespace

BruteForce enumerate_by_force(const EventGraph& graph, const rules::Rules& rules) { return Force(graph, rules).run(); }

double brute_force_size(const EventGraph& graph, const rules::Rules& rules) {
  std::size_t writes = 0;
  std::size_t reads = 0;
  for (const auto& event : graph.events) {
    if (event.is_write()) ++writes;
    if (event.is_read()) ++reads;
  }
  const std::size_t initial = std::min(writes, graph.program->locations.size());
  double result = factorial(writes - initial);
  for (std::size_t i = 0; i < reads; ++i) result *= static_cast<double>(writes + 1);
  for (const auto& order : rules.orders) {
    const auto& base = std::get<rules::BaseSetTerm>(rules.terms[order.set]);
    std::size_t members = 0;
    for (EventId e = 0; e < graph.size(); ++e) {
      if (graph.set(base.set).always.contains(e)) ++members;
    }
    result *= factorial(members);
  }
  return result;
}

}  // namespace ambit::eval::testing
