#pragma once

#include <vector>

#include "model/eval/plan_machine.h"
#include "model/eval/read_levels.h"
#include "model/events/execution.h"

namespace ambit::eval {

/// A candidate execution under construction: the first `knowledge.position` reads have a source and a value.
class Candidate {
 public:
  Candidate(const events::EventGraph& graph, const Timeline& timeline);

  Knowledge knowledge;
  std::vector<events::EventId> source;  ///< by event; kNoEvent: not executed or not chosen yet
  std::vector<Value> value;             ///< by event, of accesses that are known
  std::vector<LocationId> location;     ///< by event, of accesses that are known and executed

  Value node(events::NodeId id) const { return knowledge.nodes[id]; }
  bool is_known(events::EventId e) const { return timeline_.event_level[e] <= knowledge.position; }
  bool is_executed(events::EventId e) const { return node(graph_.events[e].guard) != 0; }

  /// Gives the next read (which is not executed when `source` is kNoEvent) its source and value and follows the
  /// consequences. False: a write that an earlier read relies on turns out differently. Undone by `retract`.
  bool assign(events::EventId source, Value value);
  void retract();
  /// Takes note of what is known before any read is chosen.
  void begin();

  /// Where the next read reads from, once its address is known.
  LocationId next_location();
  /// What reads already rely on: the location and value that a write not known yet must have.
  struct Promise {
    std::uint32_t count = 0;
    LocationId location = 0;
    Value value = 0;
  };
  const Promise& promise(events::EventId write) const { return promises_[write]; }

 private:
  bool learn(std::uint32_t level);
  LocationId location_of(events::EventId e) const;

  const events::EventGraph& graph_;
  const Timeline& timeline_;
  std::vector<Promise> promises_;  ///< by write
};

}  // namespace ambit::eval
