#include "model/eval/sequential_run.h"

#include <algorithm>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "model/eval/evaluator.h"

namespace ambit::eval {
namespace {

using events::Event;
using events::EventId;
using events::EventKind;
using events::Execution;
using events::kNoEvent;
using events::NodeId;

/// Programs with more events run in only one order, because each evaluation of the rules takes seconds.
constexpr std::size_t kMostEventsTwice = 1000;

enum class Turns : std::uint8_t { FirstThreadFirst, LastThreadFirst };

/// Runs the threads one after the other on one memory. Each turn ends at the thread's next barrier.
class SequentialRun {
 public:
  SequentialRun(const events::EventGraph& graph, Turns turns) : graph_(graph), is_past_(graph.size()) {
    const std::size_t locations = graph.program->locations.size();
    execution_.executed = events::EventSet(graph.size());
    execution_.values.assign(graph.size(), 0);
    execution_.locations.assign(graph.size(), 0);
    execution_.reads_from.assign(graph.size(), kNoEvent);
    execution_.coherence.resize(locations);
    threads_.resize(graph.program->threads.size());
    for (EventId e = 0; e < graph.size(); ++e) {
      const std::uint32_t thread = graph.events[e].thread;
      if (thread == events::kNoThread) {
        others_.push_back(e);
      } else {
        threads_[thread].push_back(e);
      }
    }
    if (turns == Turns::LastThreadFirst) std::ranges::reverse(threads_);
  }

  /// Returns the execution; nothing if a step needs a value that is not yet known.
  std::optional<Execution> run(const rules::Rules& rules, Context& context) {
    for (const EventId e : others_) {
      if (!perform(e)) return std::nullopt;
    }
    std::vector<std::size_t> next(threads_.size(), 0);
    for (bool goes_on = true; goes_on;) {
      goes_on = false;
      for (std::size_t t = 0; t < threads_.size(); ++t) {
        context.poll(threads_[t].size());
        while (next[t] < threads_[t].size()) {
          const EventId e = threads_[t][next[t]++];
          if (!perform(e)) return std::nullopt;
          goes_on = true;
          if (graph_.events[e].kind == EventKind::Barrier && execution_.executed.contains(e)) break;
        }
      }
    }
    for (const rules::OrderDeclaration& order : rules.orders) {
      const events::EventSet members = events::domain(evaluate_term(graph_, rules, execution_, order.set));
      std::vector<EventId>& ordered = execution_.orders.emplace_back();
      std::ranges::copy_if(performed_, std::back_inserter(ordered), [&](EventId e) { return members.contains(e); });
    }
    return std::move(execution_);
  }

 private:
  bool perform(EventId e) {
    const Event& event = graph_.events[e];
    is_past_[e] = true;
    if (event.kind == EventKind::Choice) return true;  // take the first alternative of each choice
    const std::optional<Value> guard = value_of(event.guard);
    if (!guard) return false;
    if (*guard == 0) return true;
    execution_.executed.insert(e);
    performed_.push_back(e);
    if (!event.is_access()) return true;
    const std::optional<Value> address = value_of(event.address);
    const std::optional<LocationId> location = address ? graph_.program->location_at(*address) : std::nullopt;
    if (!location) return false;
    execution_.locations[e] = *location;
    std::vector<EventId>& writes = execution_.coherence[*location];
    if (event.is_read()) {
      execution_.reads_from[e] = writes.back();
      execution_.values[e] = execution_.values[writes.back()];
      return true;
    }
    const std::optional<Value> written = value_of(event.value);
    if (!written) return false;
    execution_.values[e] = *written;
    writes.push_back(e);
    return true;
  }

  std::optional<Value> value_of(NodeId id) {
    const auto value_of_read = [this](EventId read) {
      return is_past_[read] ? std::optional(execution_.values[read]) : std::nullopt;
    };
    return events::evaluate(graph_.values, id, value_of_read, known_);
  }

  const events::EventGraph& graph_;
  std::vector<std::vector<EventId>> threads_;  ///< events of each thread, in the order of the turns
  std::vector<EventId> others_;                ///< events that belong to no thread
  std::unordered_map<NodeId, Value> known_;
  std::vector<bool> is_past_;  ///< for each event, whether it has run or certainly does not execute
  std::vector<EventId> performed_;
  Execution execution_;
};

void note(events::Witnessed& answer, const Execution& execution) {
  if (answer.witness) return;
  answer.possibility = events::Possibility::Possible;
  answer.witness = execution;
}

/// If the execution is allowed and complete, adds the answers that it proves.
void add(const events::EventGraph& graph, const rules::Rules& rules, const events::Questions& questions,
         const Execution& execution, Context& context, events::Answers& answers) {
  const Evaluation evaluation = evaluate(graph, rules, execution, &context);
  if (find_flaw(graph, rules, execution, evaluation, &context)) return;
  std::vector<Value> nodes;
  const events::Outcome outcome = events::outcome_of(graph, execution, nodes);
  if (nodes[graph.stuck] != 0) return;
  note(answers.any, execution);
  const auto& proposition = graph.program->condition.proposition;
  if (questions.proposition && proposition) {
    note(events::holds(*proposition, outcome) ? answers.holds : answers.fails, execution);
  }
  for (std::size_t i = 0; questions.incidents && i < graph.incidents.size(); ++i) {
    if (nodes[graph.incidents[i].condition] != 0) note(answers.incidents[i], execution);
  }
  const auto witness = std::make_shared<const Execution>(execution);
  for (std::size_t i = 0; questions.flags && i < rules.flags.size(); ++i) {
    if (!evaluation.flags[i]) continue;
    events::FlagAnswer& flag = answers.flags[i];
    flag.possibility = events::Possibility::Possible;
    evaluation.flag_pairs[i].for_each([&](EventId a, EventId b) { flag.pairs.push_back({a, b, witness}); });
  }
}

}  // namespace

events::Answers answers_of_sequential_runs(const events::EventGraph& graph, const rules::Rules& rules,
                                           const events::Questions& questions, Context& context) {
  events::Answers answers;
  answers.flags.resize(rules.flags.size());
  answers.incidents.resize(graph.incidents.size());
  for (const Turns turns : {Turns::FirstThreadFirst, Turns::LastThreadFirst}) {
    if (turns == Turns::LastThreadFirst && graph.size() > kMostEventsTwice) break;
    if (const auto execution = SequentialRun(graph, turns).run(rules, context)) {
      add(graph, rules, questions, *execution, context, answers);
    }
  }
  return answers;
}

}  // namespace ambit::eval
