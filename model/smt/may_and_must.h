#pragma once

#include <vector>

#include "model/events/event_graph.h"

namespace ambit::smt {

/// The pairs that a term can and must contain, whatever is chosen. A set is held as its identity relation.
struct Bound {
  events::Relation may;   ///< no candidate execution has a pair outside of it in the term
  events::Relation must;  ///< every pair in it is in the term whenever both its ends are executed; a subset of `may`
};

/// The possible rf and co: by locations alone, until narrow() removes more.
struct Candidates {
  explicit Candidates(const events::EventGraph& graph);

  /// Puts `older` before `younger` in coherence whenever both are executed. The caller then calls settle().
  void put_before(events::EventId older, events::EventId younger);
  /// Keeps `read` from reading from `write`. The caller then calls settle().
  void exclude_source(events::EventId write, events::EventId read);
  /// Marks the cell as updated atomically. The caller then calls settle().
  void make_atomic(const events::EventGraph& graph, LocationId location);
  /// Updates `sources`, `last` and their consequences. `implied` contains (a, b) if b is executed whenever a is.
  void settle(const events::Relation& implied);

  Bound reads_from;
  Bound coherence;
  std::vector<std::vector<events::EventId>> sources;  ///< by event: the writes that a read may read from
  std::vector<std::vector<events::EventId>> writes;   ///< by location: its writes, the initial one first
  std::vector<std::vector<events::EventId>> last;     ///< by location: the writes that may be its last
  /// By location: it is updated atomically. All its writes take place in every execution. They are updates, each of
  /// which reads from the write just before it in coherence, and writes that precede all updates in coherence.
  std::vector<bool> is_atomic;
  /// By event: the write half of the update that the event is half of, if its cell is in `is_atomic`; else kNoEvent.
  std::vector<events::EventId> atomic_update;

 private:
  void find_sources();
  void exclude_overtaken_sources();
};

/// Returns whether two accesses may access the same location.
bool may_share_location(const events::Event& a, const events::Event& b);

}  // namespace ambit::smt
