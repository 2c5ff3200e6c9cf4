#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "model/verdict/races.h"

namespace ambit::report {

/// Races of one flag between the same two places of the source, on cells of one variable.
struct RaceGroup {
  std::vector<verdict::Race> races;  ///< at least one, in the order of verdict::races; the first stands for all
  std::string cells;                 ///< "x"; "data[0], data[1], data[2] and 30 more"; empty: they are no accesses
  std::size_t thread_pairs = 1;      ///< pairs of threads that race there
};

/// In the order of the first race of each group.
std::vector<RaceGroup> race_groups(const verdict::Verdict& verdict, const std::vector<verdict::Race>& races);

}  // namespace ambit::report
