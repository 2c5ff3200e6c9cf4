// Spin loops. A loop is replaced by its last iteration when every other one could be left out of any execution:
//
//  * it hands nothing on in registers (Loop::is_independent), so that each iteration is like the first;
//  * it writes nothing, or only read-modify-writes that put back the value which they read;
//  * whether it is the last depends on what it reads itself.
//
// Take an execution with failing iterations and delete their events; whoever read from a write that put back its value
// now reads from that write's own source. What remains is an execution of the program in which the first iteration
// succeeds, with the same values and final memory. It satisfies every axiom that the longer one did as long as axioms
// only forbid edges or cycles of edges, which deletion can only remove (the edges of a deleted write are taken over by
// its source). Conversely an execution of the shortened program is one of the program. So the outcomes are those of the
// shortened program; only whether the loop ends is lost, which is the termination check's business. Await loops are
// treated like that by GenMC (Kokologiannakis, Ren, Vafeiadis, "Dynamic Partial Order Reductions for Spinloops",
// FMCAD 2021) and Dat3M.
//
// One more demand keeps races: a plain read in a failing iteration must take part in the exit condition, else it could
// race only there. What can still be lost is a race of a failing atomic poll with a write (plain, or of a scope that
// does not include the poller) that the last poll is ordered after: the write is handed on through a third thread,
// which ends the loop. language.md accepts that: failing reads are not events.

#include <utility>

#include "model/events/thread_walker.h"

namespace ambit::events {

ThreadWalker::Mark ThreadWalker::mark() const {
  const EventGraph& graph = draft_.graph;
  return {graph.events.size(), draft_.control_points.size(), graph.requirements.size(), graph.incidents.size(),
          draft_.bound_points.size()};
}

void ThreadWalker::roll_back(const Mark& to) {
  EventGraph& graph = draft_.graph;
  graph.events.resize(to.events);
  draft_.notes.resize(to.events);
  draft_.control_points.resize(to.control_points);
  graph.requirements.resize(to.requirements);
  graph.incidents.erase(graph.incidents.begin() + static_cast<std::ptrdiff_t>(to.incidents), graph.incidents.end());
  draft_.incident_positions.resize(to.incidents);
  draft_.bound_points.resize(to.bound_points);
}

/// Executes one iteration with guards relative to the loop's entry and keeps it if the loop is a spin loop.
std::optional<std::vector<ThreadWalker::Exit>> ThreadWalker::try_spin(const Loop& loop, const State& state) {
  const Mark before = mark();
  Region iteration{loop.begin, loop.end + 1, true};
  ++trial_depth_;
  run(iteration, State{ValueGraph::kTrue, state.registers});
  --trial_depth_;
  const NodeId fails = iteration.back.guard;
  if (stopped() || !is_spin(before, fails)) {
    roll_back(before);
    return std::nullopt;
  }
  commit_spin(before, state, fails);
  place_exits(iteration.exits, state.guard, values().negation(fails));
  return std::move(iteration.exits);
}

bool ThreadWalker::is_spin(const Mark& before, NodeId fails) {
  const EventGraph& graph = draft_.graph;
  if (graph.incidents.size() != before.incidents || draft_.bound_points.size() != before.bound_points) return false;
  if (fails == ValueGraph::kFalse || fails == ValueGraph::kTrue) return false;
  EventSet decisive(graph.events.size());
  values().collect_reads(fails, decisive);
  bool depends_on_own_read = false;
  for (auto e = static_cast<EventId>(before.events); e < graph.events.size(); ++e) {
    const Event& event = graph.events[e];
    if (decisive.contains(e)) depends_on_own_read = true;
    if (!event.is_access() || values().conjunction(event.guard, fails) == ValueGraph::kFalse) continue;
    if (event.is_write() && !writes_back(e, fails)) return false;
    if (event.is_read() && event.order == Order::Weak && !decisive.contains(e)) return false;
  }
  return depends_on_own_read;
}

/// Not where the value is opaque. Whenever the iteration fails and the write takes place it stores the value that its
/// own read half read: by the form of the value (atomicAdd(&f, 0)), or for every value that the cells can hold
/// (atomicExch(&f, 0) polling a flag that is only ever 0 or 1 until it is 1).
bool ThreadWalker::writes_back(EventId write, NodeId fails) {
  const Event& event = draft_.graph.events[write];
  if (event.rmw_partner == kNoEvent || event.is_async() ||
      access_of(thread().code[event.instruction].operation)->is_opaque)
    return false;
  const Event& read = draft_.graph.events[event.rmw_partner];
  const NodeId same = values().equal(draft_.notes[write].desired, read.value, event.type);
  const NodeId stores = values().conjunction(event.guard, draft_.notes[write].succeeds);
  const NodeId changes = values().conjunction(values().conjunction(stores, fails), values().negation(same));
  if (changes == ValueGraph::kFalse) return true;
  bool can_change = false;
  const bool is_known = draft_.static_values.for_each_combination(values(), draft_.graph.events, std::array{changes},
                                                                  [&](std::span<const Value> found) {
                                                                    can_change = can_change || found[0] != 0;
                                                                    return !can_change;
                                                                  });
  return is_known && !can_change;
}

/// Makes the tried iteration the last one: it does not fail, and it takes place when the loop is entered.
void ThreadWalker::commit_spin(const Mark& before, const State& entry, NodeId fails) {
  EventGraph& graph = draft_.graph;
  const NodeId leaves = values().negation(fails);
  const NodeId not_entered = values().negation(entry.guard);
  EventSet decisive(graph.events.size());
  values().collect_reads(fails, decisive);
  for (auto e = static_cast<EventId>(before.events); e < graph.events.size(); ++e) {
    Event& event = graph.events[e];
    event.guard = values().conjunction(entry.guard, values().given(event.guard, leaves));
    draft_.notes[e].path = values().conjunction(entry.guard, draft_.notes[e].path);
    if (decisive.contains(e)) event.is_await = true;
  }
  for (std::size_t i = before.requirements; i < graph.requirements.size(); ++i) {
    graph.requirements[i] = values().disjunction(not_entered, graph.requirements[i]);
  }
  graph.requirements.push_back(values().disjunction(not_entered, leaves));
  draft_.control_points.push_back({thread_, static_cast<EventId>(graph.events.size()), fails});
  if (trial_depth_ == 0) facts_ = values().conjunction(facts_, graph.requirements.back());
}

/// Guards and registers behind the loop, simplified by what its end requires.
void ThreadWalker::place_exits(std::vector<Exit>& exits, NodeId entry_guard, NodeId leaves) {
  const bool is_single = exits.size() == 1;
  for (Exit& exit : exits) {
    for (NodeId& r : exit.state.registers) {
      const ValueNode node = values()[r];
      if (node.op != Op::Select) continue;
      r = values().select(values().given(node.arguments[0], leaves), node.arguments[1], node.arguments[2], node.type);
    }
    const NodeId guard = is_single ? ValueGraph::kTrue : values().given(exit.state.guard, leaves);
    exit.state.guard = values().conjunction(entry_guard, guard);
  }
}

}  // namespace ambit::events
