#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/barrier_tracker.h"
#include "core/race_report.h"
#include "core/trace.h"

namespace ambit::report {

/// A row of a timeline: an event of the trace, or the completion of a barrier.
struct TimelineRow {
  std::uint64_t number = 0;  ///< 0-based number of the event, or of the first event after the barrier's completion
  TraceEvent event;          ///< unset for a barrier
  std::optional<BarrierTracker::Completion> barrier;
  std::vector<std::uint32_t> clock;  ///< the threads' clocks after the event; empty unless requested
  std::uint64_t skipped = 0;         ///< number of omitted rows of the drawn threads just before this row
};

/// A critical section of a drawn thread. The name of the lock comes from the trace, or Ambit inferred it.
struct TimelineSection {
  std::uint32_t thread = 0;
  std::uint32_t lock = 0;
  Scope scope = Scope::System;
  std::uint64_t begin = 0;  ///< number of the event that takes the lock.
  /// Number of the event that releases the lock; nothing if the section is open at the end of the trace.
  std::optional<std::uint64_t> end;
};

/// The part of a trace to draw. Each thread is a column. Events follow each other downwards in the order of the trace.
struct Timeline {
  std::string title;
  TraceTables tables;
  std::vector<TimelineRow> rows;
  std::vector<TimelineSection> sections;
  /// Synchronisation through flags, as pairs of events. The first event, and all events that happen before it, happen
  /// before the second event.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> edges;
  std::vector<RaceReport> races;    ///< a race is drawn if both its accesses are drawn
  std::uint64_t more_races = 0;     ///< number of further races, which are omitted
  std::uint64_t events = 0;         ///< number of events in the whole trace
  std::uint64_t skipped_after = 0;  ///< number of omitted rows of the drawn threads after the last row
  std::uint64_t other_events = 0;   ///< number of events of threads that are not drawn
  std::uint32_t other_threads = 0;  ///< number of threads that are not drawn
  bool has_clocks = false;
};

/// The part of a trace to draw.
struct TimelineOptions {
  /// First and last event to draw, 0-based. If absent, draws the whole of a trace with at most kShortTrace events. In a
  /// longer trace, draws the events around the two accesses of each race, or, without races, the beginning of the
  /// trace.
  std::optional<std::pair<std::uint64_t, std::uint64_t>> events;
  /// Names of the threads to draw. If empty, draws all threads of a short trace. For a longer trace, draws the threads
  /// that race, and then the first other threads, at most kMostThreads in total.
  std::vector<std::string> threads;
  bool clocks = false;  ///< whether to show vector clocks after each event, as in `barracuda`
};
inline constexpr std::uint64_t kShortTrace = 60;
inline constexpr std::size_t kMostThreads = 12;
/// Maximum numbers of drawn rows and races.
inline constexpr std::size_t kMostRows = 400;
inline constexpr std::size_t kMostRaces = 4;

/// Reads a trace and keeps the part to draw. `races` and `events` come from an earlier pass over the same trace:
/// `races` is the reports of detectors, and `events` is the number of events. Errors: errors of the reader; a thread
/// that is not in the trace.
Result<Timeline> read_timeline(TraceReader& reader, std::uint64_t events, const std::vector<RaceReport>& races,
                               const TimelineOptions& options);

/// Returns the first race whose two accesses are events of the trace. Returns nothing if no report names such events.
std::optional<RaceReport> first_drawable(const std::vector<RaceReport>& races);

/// Returns the timeline in the DOT language with fixed positions, as input for `neato -n2`. The text depends only on
/// the timeline.
std::string timeline_dot(const Timeline& timeline);

/// Returns a sentence for each race of a timeline. The sentences have the same numbers as the races in the picture.
std::string timeline_text(const Timeline& timeline);

}  // namespace ambit::report
