#pragma once

#include <vector>

#include "model/events/event_graph.h"

namespace ambit::smt {

/// The pairs that a term can contain and must contain, regardless of the choices. A set is represented by its identity
/// relation.
struct Bound {
  events::Relation may;   ///< in no candidate execution, the term has a pair outside of `may`
  events::Relation must;  ///< the term has each of these pairs whenever both its events are executed; a subset of `may`
};

/// The possible rf and co. Initially only locations determine them; narrow() removes pairs.
struct Candidates {
  explicit Candidates(const events::EventGraph& graph);

  /// Puts `older` before `younger` in coherence whenever both are executed. The caller must then call settle().
  void put_before(events::EventId older, events::EventId younger);
  /// Prevents `read` from reading from `write`. The caller must then call settle().
  void exclude_source(events::EventId write, events::EventId read);
  /// Marks the cell as updated atomically. The caller must then call settle().
  void make_atomic(const events::EventGraph& graph, LocationId location);
  /// Updates `sources`, `last` and their consequences. `implied` contains (a, b) if b is executed whenever a is.
  void settle(const events::Relation& implied);

  Bound reads_from;
  Bound coherence;
  std::vector<std::vector<events::EventId>> sources;  ///< for each read event, the writes from which it may read
  std::vector<std::vector<events::EventId>> writes;   ///< for each location, its writes; the initial write is first
  std::vector<std::vector<events::EventId>> last;     ///< for each location, the writes that may be its last
  /// For each location, whether it is updated atomically: all its writes take place in all executions. The writes are
  /// updates, each of which reads from the write just before it in coherence, and writes that precede all updates in
  /// coherence.
  std::vector<bool> is_atomic;
  /// For each half of an update whose cell is in `is_atomic`, the update's write half; kNoEvent for other events.
  std::vector<events::EventId> atomic_update;

 private:
  void find_sources();
  void exclude_overtaken_sources();
};

}  // namespace ambit::smt
