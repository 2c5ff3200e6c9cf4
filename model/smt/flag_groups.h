#pragma once

#include <span>
#include <vector>

#include "model/smt/problem.h"

namespace ambit::smt {

/// The pairs that a flag may relate, in groups with the same two source places and the same cell. Groups are useful
/// because the threads of a kernel often have the same race many times. A pair is a group of its own if one of its
/// events has no place or may access several cells.
class FlagGroups {
 public:
  FlagGroups(const events::EventGraph& graph, std::span<const Problem::FlaggedLiteral> pairs);

  /// Records that some execution flags the pair with this index.
  void show(std::size_t pair) { shown_[group_of_[pair]] = true; }
  /// Returns whether some pair in the group of this pair is flagged.
  bool is_shown(std::size_t pair) const { return shown_[group_of_[pair]]; }

 private:
  std::vector<std::size_t> group_of_;  ///< for each pair, its group
  std::vector<bool> shown_;            ///< for each group, whether some pair is flagged
};

}  // namespace ambit::smt
