#pragma once

#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "model/events/event_graph.h"
#include "model/events/value_sets.h"

namespace ambit::events {

/// The events of thread `thread` from number `first` on depend on this condition, although their guards do not contain
/// the condition. Examples are the exit of a spin loop and an assumption.
struct ControlPoint {
  std::uint32_t thread;
  EventId first;
  NodeId condition;
};

/// If `condition` is true, a loop of the thread exceeds the loop bound after the thread has executed its events with
/// numbers below `first`.
struct BoundPoint {
  std::uint32_t thread;
  EventId first;
  NodeId condition;
  std::optional<SourceSpan> endless = std::nullopt;  ///< the place of the loop if the loop has no exit
};

/// The values, at the time of a barrier wait, of those registers of the waiting thread that Program::observables has.
struct RegisterSnapshot {
  EventId event;
  std::vector<std::pair<std::size_t, NodeId>> values;  ///< pairs of an index into Program::observables and a value
};

/// Data about an event that is needed only for the construction of the graph.
struct EventNote {
  /// The condition under which control reaches the event. The reads in this condition are the event's control
  /// dependencies. So the requirements of spin loops do not simplify this condition, and it does not contain the bounds
  /// of the address.
  NodeId path = ValueGraph::kTrue;
  /// The guard according to the thread's code alone, under the assumption that the thread never waits forever.
  NodeId own_guard = ValueGraph::kTrue;
  NodeId compare = ValueGraph::kFalse;  ///< for compare-exchanges, the expected value
  NodeId desired = ValueGraph::kFalse;  ///< for writes of read-modify-writes, the value stored on success
  /// For a wait at an mbarrier, true if the wait returns true. For an executed write of a read-modify-write, false if a
  /// failed compare-exchange writes back the old value (Mappings::cas_always_writes).
  NodeId succeeds = ValueGraph::kTrue;
  NodeId resource = ValueGraph::kFalse;  ///< number of the barrier, if the thread computes this number
  NodeId count = ValueGraph::kFalse;     ///< the thread count, if the barrier has one
  NodeId given = ValueGraph::kFalse;     ///< for barriers with an exchange, the thread's contribution
  NodeId source = ValueGraph::kFalse;    ///< for barriers with a shuffle, the lane that supplies the value
  bool is_joint_wait = false;            ///< whether the event is the barrier of a joint wait (joint_waits.cpp)
  /// For the barrier of a joint wait, whether the thread goes back and waits again.
  NodeId joint_repeats = ValueGraph::kFalse;
};

/// An EventGraph under construction, with data that is needed only for the construction.
struct Draft {
  /// Creates a draft that polls `limits` during construction.
  Draft(std::shared_ptr<const Program> of, const GraphOptions& with, Context& limits)
      : context(limits), static_values(*of, limits) {
    graph.program = std::move(of);
    graph.options = with;
    graph.values.set_context(&limits);
  }

  const Program& program() const { return *graph.program; }

  Context& context;
  EventGraph graph;
  std::vector<EventNote> notes;  ///< the EventNote of each event
  /// One control point for each element of graph.requirements, in the same order.
  std::vector<ControlPoint> control_points;
  /// The position of each element of graph.incidents: events of its thread before the incident have smaller numbers.
  std::vector<EventId> incident_positions;
  std::vector<BoundPoint> bound_points;     ///< the disjuncts of graph.bound_reached
  std::vector<RegisterSnapshot> snapshots;  ///< in increasing order of events
  /// A pair of the relation syncbar or bar-order.
  struct Meeting {
    BaseRelation relation;
    EventId from;
    EventId to;
    NodeId condition;  ///< the condition under which the events meet, if both are executed
  };
  std::vector<Meeting> meetings;
  /// For each thread, the condition under which it reaches the end of its code and exits, regardless of barrier waits.
  std::vector<NodeId> ends;
  /// The events of thread t have the numbers first_event[t] to first_event[t + 1] - 1.
  std::vector<EventId> first_event;
  ValueSets static_values;
  bool takes_joint_waits = true;      ///< whether iterations of joint waits are omitted (joint_waits.cpp)
  bool has_false_joint_wait = false;  ///< some joint wait was assumed wrongly, so the graph is wrong
};

/// The possible targets of an access.
struct AccessTarget {
  NodeId address = ValueGraph::kFalse;
  NodeId cell = ValueGraph::kFalse;   ///< the address with aliases resolved
  std::vector<LocationId> locations;  ///< in ascending order; empty if the access is never in bounds
  NodeId in_bounds = ValueGraph::kTrue;
};

/// Returns the cells that an access to `address` under `guard` may touch, according to the static value sets. If these
/// value sets are unknown, returns all cells of the objects that the address expression names, or all cells if the
/// expression names no object.
AccessTarget resolve_address(Draft& draft, NodeId address, NodeId guard);

/// Adds the events of one thread. Returns an error if the program has more than GraphOptions::max_events events, if the
/// thread takes too many steps, or if a jump leads into a loop.
std::optional<Diagnostic> add_thread(Draft& draft, std::uint32_t thread);

/// Returns the relation between an arrival and the events that wait for its phase.
constexpr BaseRelation relation_of(const Barrier& arrival) {
  return arrival.is_relaxed ? BaseRelation::RelaxedArrival : BaseRelation::BarrierSync;
}

// The following functions require the complete list of events.
void drop_impossible_events(Draft& draft);
/// Finds which threads meet at barriers and which threads wait forever. Removes the later events of threads that wait
/// forever. Adds the necessary choices to the graph. Returns an error if threads can meet in too many ways.
std::optional<Diagnostic> settle_barriers(Draft& draft);
/// A place where a thread may wait forever: if `stays` is true, the thread has no events after `event`.
struct Stay {
  EventId event;
  NodeId stays;
};
/// Assigns loads of read-only data to the texture proxy if some thread writes the loaded cells.
void place_read_only_loads(Draft& draft);
/// Removes the events of each thread after its stays. The stays must be in increasing order of events.
void end_at_stays(Draft& draft, std::span<const Stay> stays);
/// Returns an error if the guard of a read depends on the value that the read returns. The guard of a read can depend
/// on the read's value if threads wait for each other.
std::optional<Diagnostic> find_circle(const Draft& draft);
void fill_sets(Draft& draft);
void fill_relations(Draft& draft);
void fill_dependencies(Draft& draft);
void fill_barriers(Draft& draft);
void fill_locks(Draft& draft);
/// Fills the relations of asynchronous operations, mbarriers and the state spaces of proxy fences.
void fill_asynchronous(Draft& draft);
/// Relates the asynchronous operations of a kernel to the events that wait for the kernel's end.
void fill_grid_ends(Draft& draft);
void drop_unused_values(Draft& draft);

}  // namespace ambit::events
