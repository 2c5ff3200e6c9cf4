#include "model/explain/carry_over.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "model/eval/evaluator.h"
#include "model/eval/term_evaluator.h"

namespace ambit::explain {
namespace {

using events::EventGraph;
using events::EventId;
using events::EventKind;
using events::Execution;
using events::kNoEvent;

/// Identifies an event in both graphs by its thread, its instruction in the old program, and the number of earlier
/// events of this instruction.
using Key = std::tuple<std::uint32_t, std::size_t, std::size_t>;

class Carrier {
 public:
  Carrier(const EventGraph& graph, const Execution& execution, const RepairedProgram& repaired,
          const rules::Rules& rules, Context& context)
      : graph_(graph), execution_(execution), repaired_(repaired), rules_(rules), context_(context) {}

  std::optional<CarriedOver> carry() {
    Result<EventGraph> built = events::build(repaired_.program, graph_.options, context_);
    if (!built.ok() || built.value().unfinished) return std::nullopt;
    result_.graph = std::make_shared<const EventGraph>(std::move(built).value());
    if (!match()) return std::nullopt;
    move_events();
    move_orders();
    if (eval::find_flaw(*result_.graph, rules_, result_.execution, &context_)) return std::nullopt;
    return std::move(result_);
  }

 private:
  bool match() {
    std::map<Key, EventId> old;
    std::map<std::pair<std::uint32_t, std::size_t>, std::size_t> count;
    for (EventId e = 0; e < graph_.size(); ++e) {
      const events::Event& event = graph_.events[e];
      old[{event.thread, event.instruction, count[{event.thread, event.instruction}]++}] = e;
    }
    count.clear();
    result_.counterpart.assign(graph_.size(), kNoEvent);
    source_.assign(result_.graph->size(), kNoEvent);
    for (EventId e = 0; e < result_.graph->size(); ++e) {
      const events::Event& event = result_.graph->events[e];
      std::optional<std::size_t> original = event.instruction;
      if (event.thread != events::kNoThread) original = repaired_.original[event.thread][event.instruction];
      if (!original) {
        if (event.kind != EventKind::Fence || !event.is_unconditional()) return false;
        continue;
      }
      const auto found = old.find({event.thread, *original, count[{event.thread, *original}]++});
      if (found == old.end()) return false;
      source_[e] = found->second;
      result_.counterpart[found->second] = e;
    }
    return std::find(result_.counterpart.begin(), result_.counterpart.end(), kNoEvent) == result_.counterpart.end();
  }

  EventId moved(EventId event) const { return event == kNoEvent ? kNoEvent : result_.counterpart[event]; }
  std::vector<EventId> moved(const std::vector<EventId>& list) const {
    std::vector<EventId> result;
    result.reserve(list.size());
    for (const EventId event : list) result.push_back(moved(event));
    return result;
  }

  void move_events() {
    const std::size_t size = result_.graph->size();
    Execution& to = result_.execution;
    to.executed = events::EventSet(size);
    to.values.assign(size, 0);
    to.locations.assign(size, 0);
    to.reads_from.assign(size, kNoEvent);
    for (EventId e = 0; e < size; ++e) {
      const EventId from = source_[e];
      if (from == kNoEvent) {
        to.executed.insert(e);
        continue;
      }
      if (execution_.executed.contains(from)) to.executed.insert(e);
      to.values[e] = execution_.values[from];
      to.locations[e] = execution_.locations[from];
      to.reads_from[e] = moved(execution_.reads_from[from]);
    }
    for (const auto& writes : execution_.coherence) to.coherence.push_back(moved(writes));
  }

  void move_orders() {
    Execution& to = result_.execution;
    for (std::size_t i = 0; i < rules_.orders.size(); ++i) to.orders.emplace_back();
    eval::TermEvaluator evaluator(*result_.graph, rules_, to);
    std::vector<std::vector<EventId>> orders;
    for (std::size_t i = 0; i < rules_.orders.size(); ++i) {
      events::EventSet left = events::domain(evaluator.value(rules_.orders[i].set));
      std::vector<EventId> order;
      for (const EventId event : moved(execution_.orders[i])) {
        if (!left.contains(event)) continue;
        order.push_back(event);
        left.erase(event);
      }
      left.for_each([&](EventId event) { order.push_back(event); });
      orders.push_back(std::move(order));
    }
    to.orders = std::move(orders);
  }

  const EventGraph& graph_;
  const Execution& execution_;
  const RepairedProgram& repaired_;
  const rules::Rules& rules_;
  Context& context_;
  CarriedOver result_;
  std::vector<EventId> source_;  ///< for each event of the new graph, the old event
};

}  // namespace

std::optional<CarriedOver> carry_over(const EventGraph& graph, const Execution& execution,
                                      const RepairedProgram& repaired, const rules::Rules& rules, Context& context) {
  try {
    return Carrier(graph, execution, repaired, rules, context).carry();
  } catch (const Stopped&) {
    return std::nullopt;
  }
}

}  // namespace ambit::explain
