#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "core/context.h"
#include "model/repair/change.h"

namespace ambit::repair {

/// The result of trying some levels of a program.
enum class Trial : std::uint8_t {
  Wanted,
  Unwanted,
  NoProgram,  ///< the changes exclude each other, or the reader rejects the text
  Unknown,
};
using Try = std::function<Trial(const Levels&)>;

struct LevelSearch {
  std::vector<Levels> found;  ///< wanted, cheapest first; no element is above another in all slots
  bool is_cheapest = true;    ///< the first of `found` is known to be the cheapest
  bool is_exhausted = false;  ///< only the levels in `found` and levels above them are wanted
  std::size_t checked = 0;    ///< programs tried
  std::size_t undecided = 0;  ///< tried programs without a known result
};

/// Finds the `most` cheapest levels that are wanted, by best-first search of the tree of hitting sets (Reiter, "A
/// theory of diagnosis from first principles", Artificial Intelligence 32, 1987). If levels S are unwanted, the search
/// raises them in the monotone slots to maximal unwanted levels A. All wanted levels above S are above A in some slot,
/// so the search continues with S with one slot raised beyond A. At a limit of the context, the result is the highest
/// levels of all monotone slots, lowered one by one, which need not be the cheapest.
LevelSearch search_levels(const std::vector<Slot>& slots, const Try& attempt, std::size_t most, Context& context);

}  // namespace ambit::repair
