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

/// All barriers of a program, or some barriers that share threads.
struct BarrierSystem {
  std::vector<BarrierGroup> groups;
  std::vector<BarrierUse> uses;  ///< in increasing order of events
};

/// The arrivals that may meet an arrival with an exchange. They include the arrival itself.
struct Gathering {
  struct Giver {
    EventId arrival;
    NodeId condition;  ///< both arrivals are in the same phase, given that both are executed and the phase is complete
  };
  EventId receiver = kNoEvent;
  std::vector<Giver> givers = {};
};

/// A possible divergence: if `condition` holds, some thread waits at a barrier forever.
struct Divergence {
  NodeId condition = ValueGraph::kFalse;
  std::vector<std::uint32_t> missing = {};  ///< threads without an arrival for which the barrier waits
};

/// The fates of the threads at the barriers of a system.
struct BarrierFates {
  std::vector<Stay> stays;                        ///< ordered by event; impossible stays are omitted
  std::vector<BarrierWait> waits;                 ///< ordered by event; impossible waits are omitted
  std::map<std::size_t, Divergence> divergences;  ///< the key is the number of the group
  std::vector<Gathering> gatherings;              ///< gatherings of exchanges at joint barriers
};

/// Handles systems of joint and hopeless barriers, in which nothing depends on the order of arrivals.
BarrierFates meet_jointly(Draft& draft, const BarrierSystem& system);

/// Returns whether the system is a single barrier without split arrivals and waits, whose arrivals all wait for the
/// same constant number of arrivals.
bool is_quorum(const EventGraph& graph, const BarrierSystem& system);
/// Handles a system for which is_quorum() holds. The execution chooses which arrivals share a phase.
BarrierFates meet_in_quorum(Draft& draft, const BarrierSystem& system);

/// Handles all systems. The execution chooses which arrivals share a phase, among the results of all orders of
/// arrivals. Throws Stopped if there are too many results.
BarrierFates meet_in_every_order(Draft& draft, const BarrierSystem& system);

}  // namespace ambit::events
