#pragma once

#include <utility>
#include <vector>

#include "model/eval/plan_machine.h"

namespace ambit::eval {

/// Strict total orders of one or more disjoint groups of events, being chosen pair by pair: the lower bound is what is
/// decided (always transitive), the upper bound what is not decided against. Both are kept in buffers of a machine.
class PairOrder {
 public:
  PairOrder(Machine& machine, BufferId lower, BufferId upper) : machine_(&machine), lower_(lower), upper_(upper) {}

  /// No groups: both bounds empty.
  void clear();
  /// Adds a group without decisions. Only pairs of `relevant` have to be decided, if it is given; the others
  /// may stay open.
  void add_group(std::vector<events::EventId> members, const events::Relation* relevant = nullptr);
  /// Decides first -> second, with what follows by transitivity. The opposite must not be decided.
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
  /// The pairs that have to be decided. Index of the first from `from` on that is not; pairs().size() when all are.
  std::size_t next_open(std::size_t from) const;
  std::size_t open_count() const;
  const std::vector<std::vector<events::EventId>>& groups() const { return groups_; }
  /// The members of a group, first to last, in the first total order that extends what is decided.
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
