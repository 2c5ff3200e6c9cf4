#pragma once

#include <utility>
#include <vector>

#include "model/eval/plan_machine.h"

namespace ambit::eval {

/// Strict total orders of disjoint groups of events. The search decides these orders pair by pair. The lower bound
/// contains the decided pairs and is always transitive. The upper bound contains the pairs that are still possible.
/// Both bounds are stored in buffers of a machine.
class PairOrder {
 public:
  PairOrder(Machine& machine, BufferId lower, BufferId upper) : machine_(&machine), lower_(lower), upper_(upper) {}

  /// Removes all groups. Makes both bounds empty.
  void clear();
  /// Adds a group whose pairs are all undecided. If `relevant` is not null, only the pairs in `relevant` must be
  /// decided, and other pairs may remain open.
  void add_group(std::vector<events::EventId> members, const events::Relation* relevant = nullptr);
  /// Decides that `first` precedes `second`, and decides all pairs that follow by transitivity. `second` must not
  /// already precede `first`.
  void decide(std::size_t group, events::EventId first, events::EventId second);
  bool is_decided(events::EventId a, events::EventId b) const { return precedes(a, b) || precedes(b, a); }
  bool precedes(events::EventId a, events::EventId b) const;

  std::size_t mark() const { return log_.size(); }
  void undo(std::size_t mark);

  struct Pair {
    std::size_t group;
    events::EventId first;
    events::EventId second;
  };
  const std::vector<Pair>& pairs() const { return pairs_; }
  /// Returns the index of the first undecided pair at or after index `from`; pairs().size() if no pair is undecided.
  std::size_t next_open(std::size_t from) const;
  std::size_t open_count() const;
  const std::vector<std::vector<events::EventId>>& groups() const { return groups_; }
  /// Returns the members of a group in the lexicographically first total order that extends the decisions.
  std::vector<events::EventId> sequence(std::size_t group) const;

 private:
  void set(events::EventId a, events::EventId b);

  Machine* machine_;
  BufferId lower_;
  BufferId upper_;
  std::vector<std::vector<events::EventId>> groups_;
  std::vector<Pair> pairs_;
  std::vector<std::pair<events::EventId, events::EventId>> log_;
};

}  // namespace ambit::eval
