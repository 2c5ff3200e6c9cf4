#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <vector>

#include "model/events/barrier_group.h"

namespace ambit::events {

/// A barrier event and its possible barriers. Unless the barrier's number is computed, `places` has one element.
struct BarrierUse {
  struct Place {
    std::size_t group;
    NodeId condition;  ///< the condition for this barrier, given that the event is executed
  };
  EventId event;
  std::uint32_t thread;
  std::vector<Place> places = {};
};

/// All barriers of a program, or a subset of barriers that share threads.
struct BarrierSystem {
  std::vector<BarrierGroup> groups;
  std::vector<BarrierUse> uses;  ///< in increasing order of events
};

/// The arrivals that may exchange values with a given arrival, including this arrival itself.
struct Gathering {
  struct Giver {
    EventId arrival;
    NodeId condition;  ///< the two share a phase, given that both are executed and the phase completes
  };
  EventId receiver = kNoEvent;
  std::vector<Giver> givers = {};
};

/// A possible divergence: if `condition` is true, some thread waits at a barrier forever.
struct Divergence {
  NodeId condition = ValueGraph::kFalse;
  std::vector<std::uint32_t> missing = {};  ///< the threads for which the barrier waits in vain
};

/// The result for a barrier system: the places where threads wait forever, and the arrivals that exchange values.
struct BarrierFates {
  std::vector<Stay> stays;                        ///< ordered by event; impossible stays are omitted
  std::vector<BarrierWait> waits;                 ///< ordered by event; impossible waits are omitted
  std::map<std::size_t, Divergence> divergences;  ///< the key is the number of the group
  std::vector<Gathering> gatherings;              ///< the arrivals that exchange values at joint barriers
};

/// Handles systems in which each barrier is joint or hopeless. The result does not depend on the order of arrivals.
BarrierFates meet_jointly(Draft& draft, const BarrierSystem& system);

/// Returns whether the system is a single barrier at which every arrival waits for the same constant number of
/// arrivals. A barrier with split arrivals and waits is not a quorum.
bool is_quorum(const EventGraph& graph, const BarrierSystem& system);
/// Handles a system for which is_quorum() is true. The execution chooses which arrivals share a phase.
BarrierFates meet_in_quorum(Draft& draft, const BarrierSystem& system);

/// Handles all systems. Computes the possible results of all orders of arrivals. The execution chooses one of these
/// results. Throws Stopped if there are too many results.
BarrierFates meet_in_every_order(Draft& draft, const BarrierSystem& system);

}  // namespace ambit::events
