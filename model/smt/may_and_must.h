#pragma once

#include <vector>

#include "model/events/event_graph.h"

namespace ambit::smt {

/// What a term can and must contain, whatever is chosen. A set is held as its identity relation.
struct Bound {
  events::Relation may;   ///< a pair outside is in the term in no candidate execution
  events::Relation must;  ///< a pair inside is in the term whenever both its ends are executed; a subset of `may`
};

/// What rf and co can be by locations alone.
struct Candidates {
  explicit Candidates(const events::EventGraph& graph);

  Bound reads_from;
  Bound coherence;
  std::vector<std::vector<events::EventId>> sources;  ///< by event: the writes that a read may read from
  std::vector<std::vector<events::EventId>> writes;   ///< by location: its writes, the initial one first
};

/// The two events may access one location; both are accesses.
bool may_share_location(const events::Event& a, const events::Event& b);

}  // namespace ambit::smt
