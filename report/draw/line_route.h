#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "report/draw/drawing.h"

namespace ambit::report {

/// Where a line of a drawing leaves or enters a box.
struct LineEnd {
  Box box;
  bool at_right_side = false;  ///< at the middle of that side; else wherever it points to the box's middle
};

/// The shortest way from one box to another that keeps a little away from all `others`, turns rounded, as Graphviz'
/// attribute `pos` of an edge has it; with room for an arrow head of the given length in points. Straight through what
/// is in its way where there is no other way. Lines with different remainders of `lane` by 3 do not lie on each other
/// where they go around one box.
std::string routed_line(const LineEnd& from, const LineEnd& to, double head_length, std::span<const Box> others,
                        std::size_t lane);

}  // namespace ambit::report
