#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "model/verdict/races.h"

namespace ambit::report {

/// Races of one flag between the same two places of the source, on cells of one variable.
struct RaceGroup {
  std::vector<verdict::Race> races;  ///< at least one, in the order of verdict::races; the first represents all
  std::string cells;                 ///< "x"; "data[0], data[1], data[2] and 30 more"; empty: not accesses
  std::size_t thread_pairs = 1;      ///< pairs of threads that are known to race there
  bool has_more = false;             ///< other pairs may race there as well: they were not checked
};

/// Returns "12 pairs of threads", "at least 12 pairs of threads"; empty if one pair races and no other can.
std::string thread_pairs_text(const RaceGroup& group);

/// Returns the groups in the order of their first races.
std::vector<RaceGroup> race_groups(const verdict::Verdict& verdict, const std::vector<verdict::Race>& races);

}  // namespace ambit::report
