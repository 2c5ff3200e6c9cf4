#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "base/context.h"
#include "model/repair/change.h"

namespace ambit::repair {

/// The result of trying a program with some levels.
enum class Trial : std::uint8_t {
  Wanted,
  Unwanted,
  NoProgram,  ///< the changes exclude each other, or the reader rejects the text
  Unknown,
};
using Try = std::function<Trial(const Levels&)>;

struct LevelSearch {
  std::vector<Levels> found;  ///< wanted levels, from the cheapest to the most expensive; no element is above another
                              ///< element in all slots
  bool is_cheapest = true;    ///< the first element of `found` is known to be the cheapest
  bool is_exhausted = false;  ///< only the levels in `found` and levels above them are wanted
  std::size_t checked = 0;    ///< number of tried programs
  std::size_t undecided = 0;  ///< number of tried programs without a known result
};

/// Finds the `most` cheapest wanted levels, by best-first search of the tree of hitting sets (Reiter, "A theory of
/// diagnosis from first principles", Artificial Intelligence 32, 1987). If levels S are unwanted, the search raises
/// their monotone slots to maximal unwanted levels A. All wanted levels above S are above A in some slot, so the search
/// continues with S where one slot is raised beyond A. At a limit of the context, the search takes the highest levels
/// of all monotone slots and lowers them one by one; this result need not be the cheapest.
LevelSearch search_levels(const std::vector<Slot>& slots, const Try& attempt, std::size_t most, Context& context);

}  // namespace ambit::repair
