// Handles loops in which the threads of a block, or the lanes of a warp, wait together:
//
//   while (__syncthreads_and(s != turn)) if (threadIdx.x == 0) s = *(volatile int *)flag;
//
// Each iteration has one barrier with an exchange. All threads receive the same value at this barrier, and the value
// decides whether the threads repeat the loop. If the threads repeat the loop after an iteration, this iteration is
// omitted in all these threads together. The omission is exact under two conditions:
//
//  * In each thread, the iteration changes no register that is live at the cut. The iteration consists of this barrier,
//    strong reads and fences. The condition for repeating the loop depends only on the received value (joint_barrier).
//  * All threads of the group meet at this barrier, each in an iteration of this form and under the same guard, and all
//    repeat the loop under the same condition (joint_waits_hold). Therefore the threads share a phase in the first
//    iteration, and by induction in each later iteration.
//
// Proof. Take an execution in which the threads repeat the loop after the barrier. Delete the events of this iteration
// in all threads: a whole phase of the barrier, and some reads. All threads continue with the same registers and the
// same memory, so the remaining events are an execution of the program. The shorter execution has fewer edges, so it
// satisfies every axiom, and it has every race between the remaining events (spin.cpp). The last iteration keeps its
// barrier, which orders the events after the loop.
//
// The second condition can be checked only when the barriers of all threads are known. If this condition fails, Ambit
// builds the graph again without joint waits, and unrolls the loop up to the bound.

#include <algorithm>
#include <map>

#include "model/events/exchanges.h"
#include "model/events/thread_walker.h"

namespace ambit::events {

bool gives_all_one_value(const ValueExchange& exchange) {
  return exchange.function != ValueExchange::Function::Shuffle && exchange.function != ValueExchange::Function::Match;
}

/// If the events since `before` are an iteration of a joint wait, returns the barrier of this iteration; otherwise
/// returns kNoEvent. The thread repeats the loop iff `repeats` is true.
EventId ThreadWalker::joint_barrier(const Mark& before, NodeId repeats) const {
  const EventGraph& graph = draft_.graph;
  const bool has_others = graph.requirements.size() != before.requirements ||
                          graph.incidents.size() != before.incidents ||
                          draft_.bound_points.size() != before.bound_points;
  if (!draft_.takes_joint_waits || has_others || open_) return kNoEvent;
  EventId found = kNoEvent;
  for (auto e = static_cast<EventId>(before.events); e < graph.events.size(); ++e) {
    if (graph.events[e].kind != EventKind::Barrier) continue;
    const Barrier& barrier = std::get<Barrier>(thread().code[graph.events[e].instruction].operation);
    const bool is_whole = !barrier.resource && !barrier.count && !barrier.arrive_only && !barrier.wait_only;
    const bool is_group = barrier.kind == BarrierKind::Block || barrier.kind == BarrierKind::Warp;
    const bool joins = barrier.exchange && gives_all_one_value(*barrier.exchange);
    if (found != kNoEvent || !is_whole || !is_group || !joins || graph.events[e].guard != ValueGraph::kTrue)
      return kNoEvent;
    found = e;
  }
  if (found == kNoEvent) return kNoEvent;
  EventSet decisive(graph.events.size());
  graph.values.collect_reads(repeats, decisive);
  bool is_alone = true;
  decisive.for_each([&](EventId e) { is_alone = is_alone && e == found; });
  return is_alone ? found : kNoEvent;
}

namespace {

/// Returns the threads for which the barrier event waits.
std::vector<std::uint32_t> group_of(const Draft& draft, EventId e) {
  const Event& event = draft.graph.events[e];
  const Barrier& barrier = barrier_of(draft.graph, e);
  const std::vector<Thread>& threads = draft.program().threads;
  const ThreadPlace& mine = threads[event.thread].place;
  const bool is_per_gpu = barrier.kind == BarrierKind::Block && draft.graph.options.mappings.barriers_per_gpu;
  std::vector<std::uint32_t> group;
  for (std::uint32_t t = 0; t < threads.size(); ++t) {
    const ThreadPlace& place = threads[t].place;
    if (place.gpu != mine.gpu || (place.block != mine.block && !is_per_gpu)) continue;
    const bool is_lane = place.warp == mine.warp && ((barrier.mask >> (static_cast<unsigned>(place.lane) % 32U)) & 1U);
    if (barrier.kind == BarrierKind::Block || is_lane) group.push_back(t);
  }
  return group;
}

bool is_joint(Draft& draft, const Gathering& gathering) {
  EventGraph& graph = draft.graph;
  const EventId receiver = gathering.receiver;
  const NodeId guard = graph.events[receiver].guard;
  std::vector<std::uint32_t> givers;
  for (const auto& [arrival, condition] : gathering.givers) {
    const NodeId both = graph.values.conjunction(guard, graph.events[arrival].guard);
    if (graph.values.conjunction(both, condition) == ValueGraph::kFalse) continue;  // the two events never meet
    const EventNote& note = draft.notes[arrival];
    const bool is_alike = note.is_joint_wait && graph.events[arrival].guard == guard &&
                          graph.values.given(condition, guard) == ValueGraph::kTrue &&
                          note.joint_repeats == draft.notes[receiver].joint_repeats;
    if (!is_alike) return false;
    givers.push_back(graph.events[arrival].thread);
  }
  std::ranges::sort(givers);
  return guard == ValueGraph::kFalse || givers == group_of(draft, receiver);
}

}  // namespace

bool joint_waits_hold(Draft& draft, std::span<const Gathering> gatherings) {
  std::map<EventId, const Gathering*> by_receiver;
  for (const Gathering& gathering : gatherings) by_receiver.emplace(gathering.receiver, &gathering);
  for (EventId e = 0; e < draft.graph.size(); ++e) {
    if (draft.graph.events[e].kind != EventKind::Barrier || !draft.notes[e].is_joint_wait) continue;
    const auto found = by_receiver.find(e);
    if (found == by_receiver.end() || !is_joint(draft, *found->second)) return false;
  }
  return true;
}

}  // namespace ambit::events
