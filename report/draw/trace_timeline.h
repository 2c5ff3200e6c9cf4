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

/// A row of a timeline. It shows an event of the trace or the completion of a barrier.
struct TimelineRow {
  std::uint64_t number = 0;  ///< 0-based number of the event; for a barrier, of the first event after its completion
  TraceEvent event;          ///< unset for a barrier
  std::optional<BarrierTracker::Completion> barrier;
  std::vector<std::uint32_t> clock;  ///< the threads' clocks after the event; empty unless requested
  std::uint64_t skipped = 0;         ///< number of the drawn threads' rows that were omitted just before this row
};

/// A critical section of a drawn thread. The trace names the lock, or Ambit inferred the lock.
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
  /// Pairs of events that synchronise through flags. The first event of a pair, and all events that happen before it,
  /// happen before the second event.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> edges;
  std::vector<RaceReport> races;    ///< races whose two accesses are both drawn
  std::uint64_t more_races = 0;     ///< number of further races, which are omitted
  std::uint64_t events = 0;         ///< number of events in the whole trace
  std::uint64_t skipped_after = 0;  ///< number of the drawn threads' rows that were omitted after the last row
  std::uint64_t other_events = 0;   ///< number of events of threads that are not drawn
  std::uint32_t other_threads = 0;  ///< number of threads that are not drawn
  bool has_clocks = false;
};

/// The part of a trace to draw.
struct TimelineOptions {
  /// 0-based numbers of the first and the last event to draw. If absent, draws the whole trace if it has at most
  /// kShortTrace events. If the trace is longer, draws only the events around the two accesses of each race. If a
  /// longer trace has no race, draws its beginning.
  std::optional<std::pair<std::uint64_t, std::uint64_t>> events;
  /// Names of the threads to draw. If empty, draws all threads of a short trace. For a longer trace, draws the threads
  /// that race and then the first other threads, up to kMostThreads.
  std::vector<std::string> threads;
  bool clocks = false;  ///< whether to show the vector clock after each event, as in `barracuda`
};
inline constexpr std::uint64_t kShortTrace = 60;
inline constexpr std::size_t kMostThreads = 12;
/// The maximum numbers of rows and races to draw.
inline constexpr std::size_t kMostRows = 400;
inline constexpr std::size_t kMostRaces = 4;

/// Reads a trace and keeps the part to draw. `races` and `events` come from an earlier pass over the same trace:
/// `races` contains the detectors' reports, and `events` is the number of events. Errors: errors of the reader; a
/// thread that is not in the trace.
Result<Timeline> read_timeline(TraceReader& reader, std::uint64_t events, const std::vector<RaceReport>& races,
                               const TimelineOptions& options);

/// Returns the first race whose two accesses are events of the trace. Returns nothing if no report names both events.
std::optional<RaceReport> first_drawable(const std::vector<RaceReport>& races);

/// Returns the timeline in the DOT language with fixed positions, as input for `neato -n2`. The text depends only on
/// the timeline.
std::string timeline_dot(const Timeline& timeline);

/// Returns a sentence for each race of a timeline. The numbers are the same as in the picture.
std::string timeline_text(const Timeline& timeline);

}  // namespace ambit::report
