#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "report/draw/drawing.h"

namespace ambit::report {

/// The end of a line at a box.
struct LineEnd {
  Box box;
  bool at_right_side = false;  ///< at the middle of that side; else where the line to the box's middle crosses its
                               ///< border
};

/// Returns the shortest route from one box to another that keeps a distance from all `others`, with rounded turns, in
/// the form of Graphviz' attribute `pos` of an edge. Leaves space for an arrow head of the given length in points.
/// Without such a route, the line goes straight through the boxes. Lines with different remainders of `lane` by 3 do
/// not overlap where they go around the same box.
std::string routed_line(const LineEnd& from, const LineEnd& to, double head_length, std::span<const Box> others,
                        std::size_t lane);

}  // namespace ambit::report
