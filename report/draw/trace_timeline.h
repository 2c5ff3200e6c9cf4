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

/// The contents of one row of a timeline: an event of the trace, or a barrier that completes.
struct TimelineRow {
  std::uint64_t number = 0;  ///< of the event, from 0; of a barrier: of the event before which it completes
  TraceEvent event;          ///< unless it is a barrier
  std::optional<BarrierTracker::Completion> barrier;
  std::vector<std::uint32_t> clock;  ///< by thread, after the event; empty unless asked for
  std::uint64_t skipped = 0;         ///< rows of the same threads left out just before this one
};

/// A critical section of a thread that is drawn, given by the lock's name in the trace or inferred.
struct TimelineSection {
  std::uint32_t thread = 0;
  std::uint32_t lock = 0;
  Scope scope = Scope::System;
  std::uint64_t begin = 0;           ///< number of the event that takes the lock
  std::optional<std::uint64_t> end;  ///< of the one that gives it back; nothing: it is open where the trace ends
};

/// Part of a trace, to be drawn: threads as columns, events downwards in the order of the trace.
struct Timeline {
  std::string title;
  TraceTables tables;
  std::vector<TimelineRow> rows;
  std::vector<TimelineSection> sections;
  /// Synchronisation through flags: what is before the first event is before the second.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> edges;
  std::vector<RaceReport> races;    ///< those whose two accesses are both drawn are joined
  std::uint64_t more_races = 0;     ///< found as well and left out
  std::uint64_t events = 0;         ///< of the whole trace
  std::uint64_t skipped_after = 0;  ///< rows of the same threads left out after the last row
  std::uint64_t other_events = 0;   ///< events of threads that are not drawn
  std::uint32_t other_threads = 0;  ///< threads that are not drawn
  bool has_clocks = false;
};

/// Which part of a trace to draw.
struct TimelineOptions {
  /// First and last event, from 0. Nothing: the whole trace if it has at most kShortTrace events, else what is around
  /// the two accesses of each race, else the beginning.
  std::optional<std::pair<std::uint64_t, std::uint64_t>> events;
  /// Names of threads. Empty: all of a short trace, else those that race, and the first ones up to kMostThreads.
  std::vector<std::string> threads;
  bool clocks = false;  ///< vector clocks after each event, as `barracuda` keeps them
};
inline constexpr std::uint64_t kShortTrace = 60;
inline constexpr std::size_t kMostThreads = 12;
/// Rows and races that are drawn at most.
inline constexpr std::size_t kMostRows = 400;
inline constexpr std::size_t kMostRaces = 4;

/// Reads a trace and keeps the part to draw. `races` and `events` are of an earlier pass over the same trace: what
/// detectors found, and how many events there are. Errors: the reader's; a thread that the trace does not have.
Result<Timeline> read_timeline(TraceReader& reader, std::uint64_t events, const std::vector<RaceReport>& races,
                               const TimelineOptions& options);

/// The first race whose two accesses are events of the trace; detectors that do not keep them have none.
std::optional<RaceReport> first_drawable(const std::vector<RaceReport>& races);

/// The timeline in Graphviz' language, with every position fixed: to be drawn by `neato -n2`. The same timeline gives
/// the same text.
std::string timeline_dot(const Timeline& timeline);

/// The races of a timeline in sentences, numbered as in the picture.
std::string timeline_text(const Timeline& timeline);

}  // namespace ambit::report
