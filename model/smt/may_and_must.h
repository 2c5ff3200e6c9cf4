#pragma once

#include <vector>

#include "model/events/event_graph.h"

namespace ambit::smt {

/// What a term can and must contain, whatever is chosen. A set is held as its identity relation.
struct Bound {
  events::Relation may;   ///< a pair outside is in the term in no candidate execution
  events::Relation must;  ///< a pair inside is in the term whenever both its ends are executed; a subset of `may`
};

/// What rf and co can be: by locations alone, until narrow() takes more away.
struct Candidates {
  explicit Candidates(const events::EventGraph& graph);

  /// `older` comes before `younger` in coherence whenever both are executed. Call settle() afterwards.
  void put_before(events::EventId older, events::EventId younger);
  /// `read` never reads from `write`. Call settle() afterwards.
  void exclude_source(events::EventId write, events::EventId read);
  /// The cell is updated atomically. Call settle() afterwards.
  void make_atomic(const events::EventGraph& graph, LocationId location);
  /// Brings `sources`, `last` and what follows from them up to date. `implied` contains (a, b) if b is executed
  /// whenever a is.
  void settle(const events::Relation& implied);

  Bound reads_from;
  Bound coherence;
  std::vector<std::vector<events::EventId>> sources;  ///< by event: the writes that a read may read from
  std::vector<std::vector<events::EventId>> writes;   ///< by location: its writes, the initial one first
  std::vector<std::vector<events::EventId>> last;     ///< by location: the writes that may be its last
  /// By location: it is updated atomically. All its writes take place in every execution. They are updates, each of
  /// which reads from the write just before it in coherence, and writes that come before all updates in coherence.
  std::vector<bool> is_atomic;
  /// By event: the write half of the update that the event is half of, if its cell is in `is_atomic`; else kNoEvent.
  std::vector<events::EventId> atomic_update;

 private:
  void find_sources();
  void exclude_overtaken_sources();
};

/// The two events may access one location; both are accesses.
bool may_share_location(const events::Event& a, const events::Event& b);

}  // namespace ambit::smt
