#pragma once

#include <span>
#include <vector>

#include "model/smt/problem.h"

namespace ambit::smt {

/// The pairs that a flag may relate, in groups with the same two places in the source and the same cell. Groups are
/// useful because threads of one kernel have the same race many times. A pair is its own group if an event has no place
/// or may access several cells.
class FlagGroups {
 public:
  FlagGroups(const events::EventGraph& graph, std::span<const Problem::FlaggedLiteral> pairs);

  /// Records that the pair with this index is flagged in some execution.
  void show(std::size_t pair) { shown_[group_of_[pair]] = true; }
  /// Returns whether some pair of this pair's group is flagged.
  bool is_shown(std::size_t pair) const { return shown_[group_of_[pair]]; }

 private:
  std::vector<std::size_t> group_of_;  ///< group of each pair
  std::vector<bool> shown_;            ///< whether some pair of each group is flagged
};

}  // namespace ambit::smt
