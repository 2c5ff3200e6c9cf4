#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "report/draw/drawing.h"

namespace ambit::report {

/// The end of a line at a box.
struct LineEnd {
  Box box;
  /// At the middle of the right side; else where the line to the box's middle crosses the border.
  bool at_right_side = false;
};

/// Returns the shortest route from one box to another that keeps a distance from all `others`, with rounded turns. The
/// result has the form of Graphviz' attribute `pos` of an edge. Leaves space for an arrow head of the given length in
/// points. If there is no such route, the line goes straight through the boxes. Two lines around the same box do not
/// overlap if their values of `lane` differ modulo 3.
std::string routed_line(const LineEnd& from, const LineEnd& to, double head_length, std::span<const Box> others,
                        std::size_t lane);

}  // namespace ambit::report
