#pragma once

#include <cstdint>
#include <set>
#include <tuple>
#include <vector>

#include "model/events/draft.h"

namespace ambit::events {

/// An arrival at a phase of a barrier. Events of its thread with numbers below `since` come before the thread's arrival
/// at the phase before.
struct PhaseArrival {
  EventId event = kNoEvent;
  EventId since = 0;
};

/// The code that threads execute only after a phase of a barrier: places in the source where some arriving thread acts
/// after the phase, and none acts since the phase before. A thread without an arrival at the phase that executes such
/// code has passed the barrier by in conditional code. A thread that has left the kernel by an early return executes
/// none of it (definitions.md 2.6).
class CommonCode {
 public:
  CommonCode(const Draft& draft, const std::vector<PhaseArrival>& arrivals);

  /// Not 0 where `thread` executes such code by an event with the number `since` or above.
  NodeId executed_by(Draft& draft, std::uint32_t thread, EventId since) const;

 private:
  using Place = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;
  static Place place_of(const Event& event) { return {event.span.line, event.span.column, event.span.length}; }

  std::set<Place> places_;
};

/// The events that can be the last ones of `thread` in program order where it exits and `condition` holds.
std::vector<EventId> last_events(Draft& draft, std::uint32_t thread, NodeId condition);

}  // namespace ambit::events
