#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "core/context.h"
#include "model/repair/change.h"

namespace ambit::repair {

/// What the program with some levels is.
enum class Trial : std::uint8_t {
  Wanted,
  Unwanted,
  NoProgram,  ///< the changes exclude each other, or the reader rejects the text
  Unknown,
};
using Try = std::function<Trial(const Levels&)>;

struct LevelSearch {
  std::vector<Levels> found;  ///< wanted, cheapest first; none is above another one in all slots
  bool is_cheapest = true;    ///< the first of `found` is known to be the cheapest
  bool is_exhausted = false;  ///< no other levels are wanted than those found and levels above them
  std::size_t checked = 0;    ///< programs asked about
  std::size_t undecided = 0;  ///< of those, programs of which that is not known
};

/// Finds the `most` cheapest levels that are wanted, by best-first search of the tree of hitting sets (Reiter, "A
/// theory of diagnosis from first principles", Artificial Intelligence 32, 1987): where levels S are not wanted, they
/// are raised in the slots that are monotone to maximal levels A that are not wanted either. All wanted levels above S
/// are above A in some slot, so that S with one slot raised beyond A is what is looked at next. When the limits of the
/// context are reached: the highest levels of all monotone slots, lowered one by one, are an answer that need not be
/// the cheapest.
LevelSearch search_levels(const std::vector<Slot>& slots, const Try& attempt, std::size_t most, Context& context);

}  // namespace ambit::repair
