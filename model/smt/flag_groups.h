#pragma once

#include <span>
#include <vector>

#include "model/smt/problem.h"

namespace ambit::smt {

/// The pairs that a flag may relate, in groups between the same two places of the source on the same cell: threads of
/// one kernel run into the same race many times. Pairs in which an event has no place, or may access several cells, are
/// groups of their own.
class FlagGroups {
 public:
  FlagGroups(const events::EventGraph& graph, std::span<const Problem::FlaggedLiteral> pairs);

  /// The pair, by its index, is flagged in some execution.
  void show(std::size_t pair) { shown_[group_of_[pair]] = true; }
  /// Some pair of its group is.
  bool is_shown(std::size_t pair) const { return shown_[group_of_[pair]]; }

 private:
  std::vector<std::size_t> group_of_;  ///< by pair
  std::vector<bool> shown_;            ///< by group
};

}  // namespace ambit::smt
