#pragma once

#include <vector>

#include "model/events/event_graph.h"

namespace ambit::smt {

/// The pairs that a term can contain and must contain, over all choices. A set is treated as its identity relation.
struct Bound {
  events::Relation may;   ///< in each candidate execution, all pairs of the term are in `may`
  events::Relation must;  ///< the term has each of these pairs whenever both its events are executed; a subset of `may`
};

/// The possible pairs of rf and co. Initially, pairs are excluded only by the locations of events; narrow() removes
/// further pairs.
struct Candidates {
  explicit Candidates(const events::EventGraph& graph);

  /// Fixes that `older` precedes `younger` in coherence, if both are executed. The caller must then call settle().
  void put_before(events::EventId older, events::EventId younger);
  /// Prevents `read` from reading from `write`. The caller must then call settle().
  void exclude_source(events::EventId write, events::EventId read);
  /// Adds the cell to `is_atomic`. The caller must then call settle().
  void make_atomic(const events::EventGraph& graph, LocationId location);
  /// Updates `sources`, `last` and all results that depend on them. `implied` contains (a, b) if the execution of a
  /// implies the execution of b.
  void settle(const events::Relation& implied);

  Bound reads_from;
  Bound coherence;
  std::vector<std::vector<events::EventId>> sources;  ///< for each read event, the writes from which it may read
  std::vector<std::vector<events::EventId>> writes;   ///< for each location, its writes; the initial write is first
  std::vector<std::vector<events::EventId>> last;     ///< for each location, the writes that may be its last write
  /// For each location, whether its updates are atomic. In this case, all writes to the location are executed in all
  /// executions, each update reads from the write directly before it in coherence, and writes other than updates
  /// precede all updates.
  std::vector<bool> is_atomic;
  /// For each read or write of an update of a cell in `is_atomic`, the update's write; kNoEvent for other events.
  std::vector<events::EventId> atomic_update;

 private:
  void find_sources();
  void exclude_overtaken_sources();
};

}  // namespace ambit::smt
