#pragma once

#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "model/events/event_graph.h"
#include "model/events/value_sets.h"

namespace ambit::events {

/// Reads of `condition` decide whether thread `thread` gets to its events with numbers `first` and above, but the
/// guards of those events do not contain it: the exit of a spin loop, an assumption.
struct ControlPoint {
  std::uint32_t thread;
  EventId first;
  NodeId condition;
};

/// If `condition` holds, a loop of the thread would run past the bound after its events with numbers below `first`.
struct BoundPoint {
  std::uint32_t thread;
  EventId first;
  NodeId condition;
  std::optional<SourceSpan> endless = std::nullopt;  ///< the loop has no exit: its place
};

/// The values of a thread's registers in Program::observables when it waits at a barrier.
struct RegisterSnapshot {
  EventId event;
  std::vector<std::pair<std::size_t, NodeId>> values;  ///< index into Program::observables
};

/// Data about an event that only the construction of the graph needs.
struct EventNote {
  /// The condition under which control reaches it, before simplification by the requirements of spin loops and without
  /// the bounds of its address. Its reads are the event's control dependencies.
  NodeId path = ValueGraph::kTrue;
  /// The guard that the thread's own code gives: no barrier keeps the thread waiting forever.
  NodeId own_guard = ValueGraph::kTrue;
  NodeId compare = ValueGraph::kFalse;  ///< compare-exchanges: the value expected
  NodeId desired = ValueGraph::kFalse;  ///< writes of read-modify-writes: the value stored on success
  /// Waits at an mbarrier: the wait returns true. Writes of read-modify-writes: given that the write takes place, it
  /// does not write back the old value after a failed compare-exchange (Mappings::cas_always_writes).
  NodeId succeeds = ValueGraph::kTrue;
  NodeId resource = ValueGraph::kFalse;       ///< barriers that have one
  NodeId count = ValueGraph::kFalse;          ///< barriers that have one
  NodeId given = ValueGraph::kFalse;          ///< barriers with an exchange: the thread's contribution
  NodeId source = ValueGraph::kFalse;         ///< barriers with a shuffle: the lane that it names
  bool is_joint_wait = false;                 ///< the barrier of a joint wait (joint_waits.cpp)
  NodeId joint_repeats = ValueGraph::kFalse;  ///< barriers of joint waits: the thread goes back and waits again
};

/// An EventGraph under construction, with data that only its construction needs.
struct Draft {
  /// Polls `limits` during construction.
  Draft(std::shared_ptr<const Program> of, const GraphOptions& with, Context& limits)
      : context(limits), static_values(*of, limits) {
    graph.program = std::move(of);
    graph.options = with;
    graph.values.set_context(&limits);
  }

  const Program& program() const { return *graph.program; }

  Context& context;
  EventGraph graph;
  std::vector<EventNote> notes;              ///< by event
  std::vector<ControlPoint> control_points;  ///< one for each of graph.requirements, and in their order
  std::vector<EventId> incident_positions;   ///< by graph.incidents: earlier events of the thread have smaller numbers
  std::vector<BoundPoint> bound_points;      ///< the parts of graph.bound_reached
  std::vector<RegisterSnapshot> snapshots;   ///< by rising event
  /// Pairs for syncbar and bar-order.
  struct Meeting {
    BaseRelation relation;
    EventId from;
    EventId to;
    NodeId condition;  ///< given that both are executed
  };
  std::vector<Meeting> meetings;
  std::vector<NodeId>
      ends;  ///< by thread: the condition, without that of its barriers, under which its code ends and the thread exits
  /// Events first_event[t] .. first_event[t + 1] - 1 are those of thread t.
  std::vector<EventId> first_event;
  ValueSets static_values;
  bool takes_joint_waits = true;      ///< iterations of joint waits are left out
  bool has_false_joint_wait = false;  ///< threads do not wait jointly: the graph is wrong
};

/// The possible targets of an access.
struct AccessTarget {
  NodeId address = ValueGraph::kFalse;
  NodeId cell = ValueGraph::kFalse;   ///< the address with aliases resolved
  std::vector<LocationId> locations;  ///< ascending; empty: never in bounds
  NodeId in_bounds = ValueGraph::kTrue;
};

/// Returns the cells that an access to `address`, executed under `guard`, may touch: those that the static value sets
/// allow, or else all cells of the objects that the address expression names, or else all cells.
AccessTarget resolve_address(Draft& draft, NodeId address, NodeId guard);

/// Adds the events of one thread. Errors: more than GraphOptions::max_events events, too many steps, a jump into a
/// loop.
std::optional<Diagnostic> add_thread(Draft& draft, std::uint32_t thread);

/// Returns the relation of an arrival to the events that wait for its phase.
constexpr BaseRelation relation_of(const Barrier& arrival) {
  return arrival.is_relaxed ? BaseRelation::RelaxedArrival : BaseRelation::BarrierSync;
}

// The following functions work on the complete list of events.
void drop_impossible_events(Draft& draft);
/// Finds which threads meet at barriers and which wait forever. Removes the later events of threads that wait forever.
/// Adds the necessary choices. Error: threads can meet in too many ways.
std::optional<Diagnostic> settle_barriers(Draft& draft);
/// A place where a thread may wait forever: if `stays` holds, the thread has no events after `event`.
struct Stay {
  EventId event;
  NodeId stays;
};
/// Moves loads of read-only data to the texture proxy if some thread writes their cells.
void place_read_only_loads(Draft& draft);
/// Removes each thread's events after its stays, which are by rising event.
void end_at_stays(Draft& draft, std::span<const Stay> stays);
/// Error: a read takes place depending on the value that it returns, through threads that keep each other waiting.
std::optional<Diagnostic> find_circle(const Draft& draft);
void fill_sets(Draft& draft);
void fill_relations(Draft& draft);
void fill_dependencies(Draft& draft);
void fill_barriers(Draft& draft);
void fill_locks(Draft& draft);
/// Fills the relations of asynchronous operations, mbarriers and the state spaces of proxy fences.
void fill_asynchronous(Draft& draft);
/// Relates the asynchronous operations of a kernel to the events that wait for its end.
void fill_grid_ends(Draft& draft);
void drop_unused_values(Draft& draft);

}  // namespace ambit::events
