#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "base/context.h"
#include "model/repair/change.h"

namespace ambit::repair {

/// The result of a trial of the program with given levels.
enum class Trial : std::uint8_t {
  Wanted,
  Unwanted,
  /// The changed program has a fault or no execution. Unlike Unwanted, this says nothing about smaller sets of changes.
  Faulty,
  NoProgram,  ///< the changes exclude each other, or the parser rejects the text
  Unknown,
};
using Try = std::function<Trial(const Levels&)>;

struct LevelSearch {
  /// Wanted levels by increasing cost. No element is at least as high as another element in every slot.
  std::vector<Levels> found;
  bool is_cheapest = true;    ///< the first element of `found` is certainly the cheapest
  bool is_exhausted = false;  ///< each wanted vector of levels is in `found` or above an element of `found`
  std::size_t checked = 0;    ///< number of programs tried
  std::size_t undecided = 0;  ///< number of programs tried without a known result
};

/// Finds the `most` cheapest wanted levels, by best-first search of the tree of hitting sets (Reiter, "A theory of
/// diagnosis from first principles", Artificial Intelligence 32, 1987). If levels S are unwanted, the search raises the
/// monotone slots of S while the levels remain unwanted, and gets levels A. All wanted levels above S are higher than A
/// in some slot. So for each slot, the search continues with a copy of S in which this slot is above its level in A. If
/// a limit of the context is reached, the search takes the highest levels of all monotone slots and lowers them one by
/// one. With `highest_is_wanted`, the search takes the highest levels of all slots. The result after a limit may not be
/// the cheapest.
LevelSearch search_levels(const std::vector<Slot>& slots, const Try& attempt, std::size_t most, Context& context,
                          bool highest_is_wanted = false);

}  // namespace ambit::repair
