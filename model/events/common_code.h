#pragma once

#include <cstdint>
#include <set>
#include <tuple>
#include <vector>

#include "model/events/draft.h"

namespace ambit::events {

/// An arrival at a phase of a barrier. The thread's events with numbers below `since` precede its arrival at the
/// preceding phase.
struct PhaseArrival {
  EventId event = kNoEvent;
  EventId since = 0;
};

/// The code that threads execute only after a phase of a barrier. The code consists of source places. A place belongs
/// to the code if some arriving thread has an event at this place after the phase, but no arriving thread has one
/// between the preceding phase and this phase. A thread that executes this code without an arrival at the phase has
/// skipped the barrier in conditional code. A thread that has left the kernel by an early return executes none of this
/// code (definitions/events.md 2.6).
class CommonCode {
 public:
  CommonCode(const Draft& draft, const std::vector<PhaseArrival>& arrivals);

  /// Returns the condition under which `thread` executes this code in an event numbered `since` or higher.
  NodeId executed_by(Draft& draft, std::uint32_t thread, EventId since) const;

 private:
  using Place = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;
  static Place place_of(const Event& event) { return {event.span.line, event.span.column, event.span.length}; }

  std::set<Place> places_;
};

/// Returns the events that can be the last event of `thread` in program order, provided that the thread exits and
/// `condition` is true.
std::vector<EventId> last_events(Draft& draft, std::uint32_t thread, NodeId condition);

}  // namespace ambit::events
