// Spin loops. An iteration that returns to the loop's cut "repeats" if it changes neither memory nor the registers that
// are live at the cut. Executions omit iterations that repeat. Iterations with a change are unrolled. So the waiting
// iterations of a loop become an await, for any form of loop: a poll into a register, a lock that sets `done`, a
// look-back that advances only in some iterations.
//
// An iteration repeats if
//
//  * each register that is live at the cut has the value from the beginning of the iteration: the same value node, or a
//    constant that the iteration computed again (same_when);
//  * it writes nothing, except by read-modify-writes that store the value that they read (effect_of); it passes no
//    barrier, except the barrier of a joint wait (joint_waits.cpp), issues nothing asynchronous, and fails no assertion
//    (an undefined use of an mbarrier is reported only for the last poll);
//  * these conditions depend on its own reads.
//
// Proof. Take an execution with iterations that repeat, and delete their events. A deleted write stored an unchanged
// value, so a read from this write now reads from the write's source. The thread continues with the same live
// registers, so the remaining events are an execution of the program with the same values and final memory. If the
// axioms only forbid edges or cycles of edges, the shorter execution satisfies all axioms that the longer execution
// satisfies, because deletion only removes edges. (The source of a deleted write takes over the write's edges. A
// register may now contain a constant instead of an equal value, which gives it fewer dependencies.) Conversely, an
// execution without repeating iterations is an execution of the program. So executions in which no iteration repeats
// have all outcomes, and commit_iteration() requires that no iteration repeats. The remaining executions do not show
// whether the loop ends; the termination check answers this question. GenMC (Kokologiannakis, Ren, Vafeiadis, "Dynamic
// Partial Order Reductions for Spinloops", FMCAD 2021) and Dat3M treat await loops in the same way.
//
// One more condition preserves races: an iteration with a plain read repeats only if the decision to repeat depends on
// this read. Otherwise the deletion could remove the only iteration that has a race. One kind of race can still be
// lost: a race between a failing atomic poll and a write that is plain, or whose scope does not include the poller.
// This loss occurs if the last poll is ordered after the write, because a third thread observes the write and then ends
// the loop. language/statements.md accepts the loss: failing reads are not events.

#include <algorithm>
#include <array>
#include <utility>

#include "model/events/thread_walker.h"

namespace ambit::events {

ThreadWalker::Mark ThreadWalker::mark() const {
  const EventGraph& graph = draft_.graph;
  return {
      graph.events.size(),        draft_.control_points.size(), graph.requirements.size(),       graph.incidents.size(),
      draft_.bound_points.size(), draft_.snapshots.size(),      open_ ? open_->writes.size() : 0};
}

void ThreadWalker::roll_back(const Mark& to) {
  EventGraph& graph = draft_.graph;
  graph.events.resize(to.events);
  draft_.notes.resize(to.events);
  draft_.control_points.resize(to.control_points);
  graph.requirements.resize(to.requirements);
  graph.incidents.erase(graph.incidents.begin() + static_cast<std::ptrdiff_t>(to.incidents), graph.incidents.end());
  draft_.incident_positions.resize(to.incidents);
  draft_.bound_points.erase(draft_.bound_points.begin() + static_cast<std::ptrdiff_t>(to.bound_points),
                            draft_.bound_points.end());
  draft_.snapshots.erase(draft_.snapshots.begin() + static_cast<std::ptrdiff_t>(to.snapshots), draft_.snapshots.end());
  if (open_) open_->writes.resize(to.transactional_writes);
}

/// Executes one iteration, with guards relative to the iteration's beginning. If the iteration can repeat, keeps it as
/// the last iteration: adds the condition that the thread leaves the loop after this iteration.
std::optional<ThreadWalker::Turn> ThreadWalker::try_spin(const Loop& loop, const State& state,
                                                         std::vector<Exit>& exits) {
  constexpr unsigned kMaxCounting = 2;
  LoopFate& fate = fates_[*flow_.header[loop.begin]];
  if (!loop.may_spin || fate.counting_iterations >= kMaxCounting) return std::nullopt;
  const Mark before = mark();
  std::vector<Exit> left;
  ++trial_depth_;
  Turn turn = iterate(loop, State{ValueGraph::kTrue, state.registers}, left);
  --trial_depth_;
  const bool counts = std::any_of(loop.carried_at_cut.begin(), loop.carried_at_cut.end(), [&](RegisterId r) {
    return turn.state.guard != ValueGraph::kFalse && turn.state.registers[r] != state.registers[r] &&
           values().is_constant(turn.state.registers[r]) && values().is_constant(state.registers[r]);
  });
  fate.counting_iterations = counts ? fate.counting_iterations + 1 : 0;
  const NodeId fails = stopped() ? ValueGraph::kFalse : repeats(loop, before, state, turn.state);
  if (fails == ValueGraph::kFalse) {
    roll_back(before);
    return std::nullopt;
  }
  EventSet decisive(draft_.graph.events.size());
  values().collect_reads(fails, decisive);
  const NodeId leaves = values().negation(fails);
  for (auto e = static_cast<EventId>(before.events); e < draft_.graph.events.size(); ++e) {
    if (decisive.contains(e)) draft_.graph.events[e].is_await = true;
  }
  if (const EventId joint = joint_barrier(before, fails); joint != kNoEvent) {
    draft_.notes[joint].is_joint_wait = true;
    draft_.notes[joint].joint_repeats = fails;
    fate.was_unrolled = true;
  }
  commit_iteration(before, state.guard, leaves);
  draft_.graph.requirements.push_back(values().disjunction(values().negation(state.guard), leaves));
  draft_.control_points.push_back({thread_, static_cast<EventId>(draft_.graph.events.size()), fails});
  if (trial_depth_ == 0) facts_ = values().conjunction(facts_, draft_.graph.requirements.back());
  const bool goes_on = values().given(turn.state.guard, leaves) != ValueGraph::kFalse;
  for (Exit& exit : left) {
    place(exit.state, state.guard, leaves, left.size() == 1 && !goes_on);
    merge_exit(exits, exit.target, std::move(exit.state));
  }
  turn.back = values().conjunction(state.guard, values().given(turn.back, leaves));
  if (!goes_on) return Turn{State{}, turn.back};
  place(turn.state, state.guard, leaves, left.empty());
  return turn;
}

/// Returns the condition under which the iteration from `entry` to `back` repeats. The events of the iteration follow
/// `before`. Returns kFalse if the iteration never repeats, or if the values that it reads do not decide whether it
/// repeats.
NodeId ThreadWalker::repeats(const Loop& loop, const Mark& before, const State& entry, const State& back) {
  NodeId result = back.guard;
  for (const RegisterId r : loop.carried_at_cut) {
    if (result == ValueGraph::kFalse) return result;
    if (back.registers[r] == entry.registers[r]) continue;
    if (thread().registers[r].is_opaque) return ValueGraph::kFalse;
    const NodeId same = same_when(back.registers[r], entry.registers[r], thread().registers[r].type);
    result = values().conjunction(result, same);
  }
  if (!depends_on_reads_since(before, result)) return ValueGraph::kFalse;
  const EventId joint = joint_barrier(before, result);
  EventSet decisive(draft_.graph.events.size());
  values().collect_reads(result, decisive);
  for (auto e = static_cast<EventId>(before.events); e < draft_.graph.events.size(); ++e) {
    if (result == ValueGraph::kFalse) return result;
    if (e == joint) continue;
    const NodeId effect = effect_of(e, result, decisive);
    if (joint != kNoEvent && effect != ValueGraph::kFalse) return ValueGraph::kFalse;
    result = values().conjunction(result, values().negation(effect));
  }
  for (std::size_t i = before.incidents; i < draft_.graph.incidents.size(); ++i) {
    if (draft_.graph.incidents[i].kind == Incident::Kind::Misuse) continue;
    result = values().conjunction(result, values().negation(draft_.graph.incidents[i].condition));
  }
  return depends_on_reads_since(before, result) ? result : ValueGraph::kFalse;
}

/// Returns a condition under which the register's value `now` equals `then`. Does not compare the values of two reads:
/// after the deletion of the iteration, the register has the value of the earlier read.
NodeId ThreadWalker::same_when(NodeId now, NodeId then, ScalarType type, unsigned depth) {
  constexpr unsigned kMaxDepth = 8;
  if (now == then) return ValueGraph::kTrue;
  if (values().is_constant(now) && values().is_constant(then)) return ValueGraph::kFalse;
  const ValueNode node = values()[now];
  if (node.op == Op::Select && depth < kMaxDepth) {
    const NodeId first = same_when(node.arguments[1], then, type, depth + 1);
    const NodeId second = same_when(node.arguments[2], then, type, depth + 1);
    return values().select(node.arguments[0], first, second, kInt);
  }
  return values().is_constant(then) ? values().equal(now, then, type) : ValueGraph::kFalse;
}

bool ThreadWalker::depends_on_reads_since(const Mark& before, NodeId condition) const {
  if (draft_.graph.values.is_constant(condition)) return false;
  EventSet decisive(draft_.graph.events.size());
  draft_.graph.values.collect_reads(condition, decisive);
  for (auto e = static_cast<EventId>(before.events); e < draft_.graph.events.size(); ++e) {
    if (decisive.contains(e)) return true;
  }
  return false;
}

/// Returns the condition under which the event's iteration must not be omitted.
NodeId ThreadWalker::effect_of(EventId e, NodeId repeats, const EventSet& decisive) {
  const Event& event = draft_.graph.events[e];
  if (event.kind == EventKind::Barrier || event.kind == EventKind::AsyncStep || event.is_async()) return event.guard;
  if (!event.is_access()) return ValueGraph::kFalse;
  if (event.is_write()) return change_by(e, repeats);
  return event.order == Order::Weak && !decisive.contains(e) ? event.guard : ValueGraph::kFalse;
}

/// Returns the condition under which a write changes memory in an iteration that otherwise repeats. A read-modify-write
/// whose operand is not opaque changes nothing if it stores the value that it reads. The function detects this case
/// from the form of the value (atomicAdd(&f, 0)), or from all values that the cells can have (atomicExch(&f, 0) in a
/// loop that waits until a flag with the values 0 and 1 is 1).
NodeId ThreadWalker::change_by(EventId write, NodeId repeats) {
  const Event& event = draft_.graph.events[write];
  if (event.rmw_partner == kNoEvent || access_of(thread().code[event.instruction].operation)->is_opaque)
    return event.guard;
  const Event& read = draft_.graph.events[event.rmw_partner];
  const NodeId same = values().equal(draft_.notes[write].desired, read.value, event.type);
  const NodeId stores = values().conjunction(event.guard, draft_.notes[write].succeeds);
  const NodeId changes = values().conjunction(values().conjunction(stores, repeats), values().negation(same));
  if (changes == ValueGraph::kFalse) return changes;
  bool can_change = false;
  const bool is_known = draft_.static_values.for_each_combination(values(), draft_.graph.events, std::array{changes},
                                                                  [&](std::span<const Value> found) {
                                                                    can_change = can_change || found[0] != 0;
                                                                    return !can_change;
                                                                  });
  return is_known && !can_change ? ValueGraph::kFalse : stores;
}

/// Makes the guards of a tried iteration absolute. Simplifies the guards under the assumption that `leaves` is true,
/// which the end of the iteration requires.
void ThreadWalker::commit_iteration(const Mark& before, NodeId entry_guard, NodeId leaves) {
  EventGraph& graph = draft_.graph;
  const auto absolute = [&](NodeId guard) { return values().conjunction(entry_guard, values().given(guard, leaves)); };
  const NodeId not_entered = values().negation(entry_guard);
  for (auto e = static_cast<EventId>(before.events); e < graph.events.size(); ++e) {
    graph.events[e].guard = absolute(graph.events[e].guard);
    draft_.notes[e].path = values().conjunction(entry_guard, draft_.notes[e].path);
  }
  for (std::size_t i = before.requirements; i < graph.requirements.size(); ++i) {
    graph.requirements[i] = values().disjunction(not_entered, graph.requirements[i]);
  }
  for (std::size_t i = before.incidents; i < graph.incidents.size(); ++i) {
    graph.incidents[i].condition = absolute(graph.incidents[i].condition);
  }
  for (std::size_t i = before.bound_points; i < draft_.bound_points.size(); ++i) {
    draft_.bound_points[i].condition = absolute(draft_.bound_points[i].condition);
  }
  for (std::size_t i = before.transactional_writes; open_ && i < open_->writes.size(); ++i) {
    open_->writes[i].guard = absolute(open_->writes[i].guard);
  }
}

/// Sets the guard and registers after a tried iteration. Simplifies them under the assumption that `leaves` is true.
/// `is_certain` is true if the iteration has no other exit.
void ThreadWalker::place(State& state, NodeId entry_guard, NodeId leaves, bool is_certain) {
  for (NodeId& r : state.registers) {
    if (values().is_boolean_node(r)) r = values().given(r, leaves);
    const ValueNode node = values()[r];
    if (node.op != Op::Select || values().is_boolean_node(r)) continue;
    r = values().select(values().given(node.arguments[0], leaves), node.arguments[1], node.arguments[2], node.type);
  }
  const NodeId guard = is_certain ? ValueGraph::kTrue : values().given(state.guard, leaves);
  state.guard = values().conjunction(entry_guard, guard);
}

}  // namespace ambit::events
