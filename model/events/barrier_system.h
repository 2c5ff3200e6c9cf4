#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <vector>

#include "model/events/barrier_group.h"

namespace ambit::events {

/// A barrier event and its possible barriers. There is exactly one barrier unless the barrier's number is computed.
struct BarrierUse {
  struct Place {
    std::size_t group;
    NodeId condition;  ///< condition of the barrier, given that the event is executed
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
    NodeId condition;  ///< both share a phase, given that both are executed and the phase completes
  };
  EventId receiver = kNoEvent;
  std::vector<Giver> givers = {};
};

/// A possible divergence: if `condition` is true, some thread waits at a barrier forever.
struct Divergence {
  NodeId condition = ValueGraph::kFalse;
  std::vector<std::uint32_t> missing = {};  ///< threads without an arrival for which the barrier waits
};

/// The result for a system: where threads wait forever, and which arrivals exchange values.
struct BarrierFates {
  std::vector<Stay> stays;                        ///< ordered by event; impossible stays are omitted
  std::vector<BarrierWait> waits;                 ///< ordered by event; impossible waits are omitted
  std::map<std::size_t, Divergence> divergences;  ///< the key is the number of the group
  std::vector<Gathering> gatherings;              ///< the arrivals that exchange values at joint barriers
};

/// Handles systems of joint and hopeless barriers, whose result does not depend on the order of arrivals.
BarrierFates meet_jointly(Draft& draft, const BarrierSystem& system);

/// Returns whether the system is a single barrier at which all arrivals wait for the same constant number of arrivals.
/// A barrier with split arrivals and waits is not a quorum.
bool is_quorum(const EventGraph& graph, const BarrierSystem& system);
/// Handles a system for which is_quorum() is true. The execution chooses which arrivals share a phase.
BarrierFates meet_in_quorum(Draft& draft, const BarrierSystem& system);

/// Handles all systems. Computes the possible results of all orders of arrivals. The execution chooses one of these
/// results. Throws Stopped if there are too many results.
BarrierFates meet_in_every_order(Draft& draft, const BarrierSystem& system);

}  // namespace ambit::events
