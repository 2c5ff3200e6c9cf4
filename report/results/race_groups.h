#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "model/verdict/races.h"

namespace ambit::report {

/// A group of races with the same flag between the same two places of the source, on elements of one variable. The
/// shared variables of all blocks with the same declaration are one variable.
struct RaceGroup {
  /// One or more races, in the order of verdict::races. Reports show the first race.
  std::vector<verdict::Race> races;
  /// memory cells: "x"; "data[0], data[1] and 30 more"; empty if the events are not accesses
  std::string cells;
  std::size_t thread_pairs = 1;  ///< number of pairs of threads that certainly race at these places
  bool has_more = false;         ///< whether unchecked pairs of threads may also race
};

/// Describes the number of racing pairs of threads: "12 pairs of threads" or "at least 12 pairs of threads";
/// empty for exactly one pair.
std::string thread_pairs_text(const RaceGroup& group);

/// Returns the groups of races, in the order of their first races.
std::vector<RaceGroup> race_groups(const verdict::Verdict& verdict, const std::vector<verdict::Race>& races);

}  // namespace ambit::report
