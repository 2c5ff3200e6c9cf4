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

/// A row of a timeline: an event of the trace, or a barrier that completes.
struct TimelineRow {
  std::uint64_t number = 0;  ///< of the event, from 0; of a barrier: of the event before which it completes
  TraceEvent event;          ///< unless it is a barrier
  std::optional<BarrierTracker::Completion> barrier;
  std::vector<std::uint32_t> clock;  ///< by thread, after the event; empty unless requested
  std::uint64_t skipped = 0;         ///< rows of the same threads left out just before this one
};

/// A critical section of a drawn thread, with the lock's name from the trace or inferred.
struct TimelineSection {
  std::uint32_t thread = 0;
  std::uint32_t lock = 0;
  Scope scope = Scope::System;
  std::uint64_t begin = 0;           ///< number of the event that takes the lock
  std::optional<std::uint64_t> end;  ///< number of the event that releases the lock; nothing: it is open at the end of
                                     ///< the trace
};

/// Part of a trace to draw: threads as columns, events downwards in the order of the trace.
struct Timeline {
  std::string title;
  TraceTables tables;
  std::vector<TimelineRow> rows;
  std::vector<TimelineSection> sections;
  /// Synchronisation through flags: the first event and all before it precede the second.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> edges;
  std::vector<RaceReport> races;    ///< a race is drawn if both its accesses are
  std::uint64_t more_races = 0;     ///< number of further races, which are left out
  std::uint64_t events = 0;         ///< of the whole trace
  std::uint64_t skipped_after = 0;  ///< rows of the same threads left out after the last row
  std::uint64_t other_events = 0;   ///< events of threads that are not drawn
  std::uint32_t other_threads = 0;  ///< threads that are not drawn
  bool has_clocks = false;
};

/// The part of a trace to draw.
struct TimelineOptions {
  /// First and last event, from 0. Nothing: the whole trace if it has at most kShortTrace events, else the events
  /// around the two accesses of each race, else the beginning.
  std::optional<std::pair<std::uint64_t, std::uint64_t>> events;
  /// Names of threads. Empty: all of a short trace, else those that race, and the first ones up to kMostThreads.
  std::vector<std::string> threads;
  bool clocks = false;  ///< vector clocks after each event, as in `barracuda`
};
inline constexpr std::uint64_t kShortTrace = 60;
inline constexpr std::size_t kMostThreads = 12;
/// Maximum numbers of drawn rows and races.
inline constexpr std::size_t kMostRows = 400;
inline constexpr std::size_t kMostRaces = 4;

/// Reads a trace and keeps the part to draw. `races` and `events` are from an earlier pass over the same trace: the
/// reports of detectors, and the number of events. Errors: the reader's; a thread that the trace does not have.
Result<Timeline> read_timeline(TraceReader& reader, std::uint64_t events, const std::vector<RaceReport>& races,
                               const TimelineOptions& options);

/// Returns the first race whose two accesses are events of the trace. Detectors that do not record events have none.
std::optional<RaceReport> first_drawable(const std::vector<RaceReport>& races);

/// Returns the timeline in Graphviz' language, with every position fixed: input for `neato -n2`. The text depends on
/// the timeline only.
std::string timeline_dot(const Timeline& timeline);

/// Returns the races of a timeline in sentences, numbered as in the picture.
std::string timeline_text(const Timeline& timeline);

}  // namespace ambit::report
