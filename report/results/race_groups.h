#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "model/verdict/races.h"

namespace ambit::report {

/// Races with one flag between the same two places of the source, on cells of one variable.
struct RaceGroup {
  /// One or more races, in the order of verdict::races; the first race represents all.
  std::vector<verdict::Race> races;
  /// "x"; "data[0], data[1], data[2] and 30 more"; empty if the events are not accesses
  std::string cells;
  std::size_t thread_pairs = 1;  ///< number of pairs of threads that are known to race at these places
  bool has_more = false;         ///< whether other pairs of threads may race, too, because they were not checked
};

/// Returns "12 pairs of threads" or "at least 12 pairs of threads"; empty if exactly one pair races.
std::string thread_pairs_text(const RaceGroup& group);

/// Returns the groups in the order of their first races.
std::vector<RaceGroup> race_groups(const verdict::Verdict& verdict, const std::vector<verdict::Race>& races);

}  // namespace ambit::report
