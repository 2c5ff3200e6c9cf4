#pragma once

#include <map>
#include <string>
#include <vector>

#include "report/picture.h"

namespace ambit::report {

/// A box of the picture in points, y growing upwards as Graphviz has it; (x, y) is its middle.
struct Box {
  double x = 0;
  double y = 0;
  double width = 0;
  double height = 0;
  double left() const { return x - width / 2; }
  double right() const { return x + width / 2; }
  double bottom() const { return y - height / 2; }
  double top() const { return y + height / 2; }
};

struct PlacedNode {
  std::string id;
  Box box;
  std::string text;  ///< lines separated by '\n'
  enum class Look : std::uint8_t { Event, Marked, Ghost, Initial, Thread, Label, Text } look = Look::Event;
  ArrowKind kind = ArrowKind::Other;  ///< Label
  bool matters = false;               ///< Label
};

/// A gpu, cluster or block around its threads.
struct PlacedGroup {
  std::string name;
  Box box;
  int depth = 0;
};

/// A line of an arrow: the first half up to its label, or the second.
struct PlacedLine {
  std::string from;
  std::string to;
  ArrowKind kind = ArrowKind::Other;
  bool matters = false;
  bool has_head = true;
  bool same_column = false;  ///< leaves and enters at the right side
};

struct Layout {
  std::vector<PlacedGroup> groups;  ///< outer ones first
  std::vector<PlacedNode> nodes;
  std::vector<PlacedLine> lines;
  double left = 0, right = 0, top = 0, bottom = 0;
};

/// Columns, rows, and for each label of an arrow a place between the columns that no other label has.
Layout lay_out(const Picture& picture);

}  // namespace ambit::report
