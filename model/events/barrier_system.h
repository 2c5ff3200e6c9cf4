#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <vector>

#include "model/events/barrier_group.h"

namespace ambit::events {

/// A barrier event and the barriers that it may be at: one, unless its number is computed.
struct BarrierUse {
  struct Place {
    std::size_t group;
    NodeId condition;  ///< given that the event is executed
  };
  EventId event;
  std::uint32_t thread;
  std::vector<Place> places = {};
};

/// The barriers of a program, or such of them as share threads.
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

/// If `condition` holds, some thread waits at a barrier for ever.
struct Divergence {
  NodeId condition = ValueGraph::kFalse;
  std::vector<std::uint32_t> missing = {};  ///< threads without an arrival, for which the barrier waits
};

/// What becomes of the threads at the barriers of a system.
struct BarrierFates {
  std::vector<Stay> stays;                        ///< ordered by event, without those that cannot happen
  std::vector<BarrierWait> waits;                 ///< the same
  std::map<std::size_t, Divergence> divergences;  ///< by group
  std::vector<Gathering> gatherings;              ///< of exchanges at joint barriers
};

/// Systems of joint and hopeless barriers, where nothing depends on the order of arrivals.
BarrierFates meet_jointly(Draft& draft, const BarrierSystem& system);

/// The system is one barrier with one constant number of arrivals to wait for, without split arrivals and waits.
bool is_quorum(const EventGraph& graph, const BarrierSystem& system);
/// A system for which is_quorum holds. Which arrivals share a phase is a choice of the execution.
BarrierFates meet_in_quorum(Draft& draft, const BarrierSystem& system);

/// Any system. Which arrivals share a phase is a choice of the execution, between all that some order of arrivals leads
/// to. Throws Stopped where there are too many.
BarrierFates meet_in_every_order(Draft& draft, const BarrierSystem& system);

}  // namespace ambit::events
