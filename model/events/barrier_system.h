#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <vector>

#include "model/events/barrier_group.h"

namespace ambit::events {

/// A barrier event and the barriers that it may be at: exactly one unless its number is computed.
struct BarrierUse {
  struct Place {
    std::size_t group;
    NodeId condition;  ///< given that the event is executed
  };
  EventId event;
  std::uint32_t thread;
  std::vector<Place> places = {};
};

/// The barriers of a program, or some of them that share threads.
struct BarrierSystem {
  std::vector<BarrierGroup> groups;
  std::vector<BarrierUse> uses;  ///< by rising event
};

/// The arrivals that may meet an arrival with an exchange, itself included.
struct Gathering {
  struct Giver {
    EventId arrival;
    NodeId condition;  ///< given that both are executed and the phase is complete: they share the phase
  };
  EventId receiver = kNoEvent;
  std::vector<Giver> givers = {};
};

/// If `condition` holds, some thread waits at a barrier forever.
struct Divergence {
  NodeId condition = ValueGraph::kFalse;
  std::vector<std::uint32_t> missing = {};  ///< threads without an arrival, for which the barrier waits
};

/// The fates of the threads at the barriers of a system.
struct BarrierFates {
  std::vector<Stay> stays;                        ///< ordered by event, without impossible ones
  std::vector<BarrierWait> waits;                 ///< ordered by event, without impossible ones
  std::map<std::size_t, Divergence> divergences;  ///< by group
  std::vector<Gathering> gatherings;              ///< of exchanges at joint barriers
};

/// Handles systems of joint and hopeless barriers, where nothing depends on the order of arrivals.
BarrierFates meet_jointly(Draft& draft, const BarrierSystem& system);

/// Returns whether the system is one barrier whose arrivals all wait for the same constant number of arrivals, without
/// split arrivals and waits.
bool is_quorum(const EventGraph& graph, const BarrierSystem& system);
/// Handles a system for which is_quorum holds. The execution chooses which arrivals share a phase.
BarrierFates meet_in_quorum(Draft& draft, const BarrierSystem& system);

/// Handles any system. The execution chooses which arrivals share a phase, among the results of all orders of arrivals.
/// Throws Stopped if there are too many.
BarrierFates meet_in_every_order(Draft& draft, const BarrierSystem& system);

}  // namespace ambit::events
