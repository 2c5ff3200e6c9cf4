#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "report/draw/drawing.h"

namespace ambit::report {

/// The box at one end of a line, and the side at which the line ends.
struct LineEnd {
  Box box;
  /// Whether the line ends at the middle of the box's right side. If false, the line points to the box's middle and
  /// ends at its border.
  bool at_right_side = false;
};

/// Returns the shortest route with rounded corners from one box to another. The route keeps a distance from all
/// `others` or, if no such route exists, goes straight through boxes. The end leaves space for an arrow head with the
/// given length in points. Two lines around the same box do not overlap if their values of `lane` differ modulo 3. The
/// result is a value for Graphviz' edge attribute `pos`.
std::string routed_line(const LineEnd& from, const LineEnd& to, double head_length, std::span<const Box> others,
                        std::size_t lane);

}  // namespace ambit::report
