#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "report/draw/picture.h"

namespace ambit::report {

/// A box of a drawing, in points. (x, y) is the middle of the box. y grows upwards, as in Graphviz.
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
  enum class Look : std::uint8_t {
    Event,
    Marked,
    Ghost,
    Initial,
    Thread,
    Label,
    Lifeline,  ///< a thread's time, from top to bottom
    Section,   ///< a critical section: a bar along its thread
    Meeting,   ///< a barrier: a line across its threads
    Member,    ///< a thread that waited at a barrier
    Arrival,   ///< a thread that arrived at a barrier and did not wait
    Caption,   ///< text at a barrier
    Small,     ///< text next to events
    Corner,    ///< a bend of a line, or the place of a group's name; not drawn
  } look = Look::Event;
  ArrowKind kind = ArrowKind::Other;  ///< for Label: kind of the arrow
  bool matters = false;               ///< for Label: whether the arrow is thick
  std::string_view fill = {};         ///< for Section: colour
};

/// Distance of a group's name from the top of the group.
inline constexpr double kGroupName = 11;

/// A gpu, cluster or block with its threads.
struct PlacedGroup {
  std::string name;
  Box box;
  int depth = 0;
};

/// Half of an arrow: the line from the arrow's start to its label, or the line from the label to the arrow's end.
struct PlacedLine {
  std::string from;
  std::string to;
  ArrowKind kind = ArrowKind::Other;
  bool matters = false;
  bool has_head = true;
  bool same_column = false;  ///< whether both ends are at the right side of their boxes
};

struct Layout {
  std::vector<PlacedGroup> groups;
  std::vector<PlacedNode> nodes;  ///< nodes in the order in which they are drawn
  std::vector<PlacedLine> lines;
  double left = 0, right = 0, top = 0, bottom = 0;

  /// Makes the bounds of the drawing include all nodes and groups. Sorts groups from left to right, with outer groups
  /// before inner groups.
  void bound();
};

/// A line of a legend.
struct LegendRow {
  std::string_view colour;
  std::string_view sign;  ///< may contain HTML entities
  std::string meaning;
};

/// A drawing with the positions of all its parts.
struct Drawing {
  std::string title;  ///< one or two lines
  Layout layout;
  std::vector<LegendRow> legend;
  std::vector<std::string> notes;  ///< below the legend, one line each
  bool is_straight = false;        ///< whether lines are straight, even through boxes
};

/// Returns the width in points of the longest line of a text in the font of events, rounded up.
double text_width(std::string_view text);

/// Returns the colour of an arrow, such as "#0072B2". Colour-blind readers can distinguish the colours of all kinds of
/// arrows (palette of Okabe and Ito).
std::string_view arrow_colour(ArrowKind kind);

/// Returns the drawing in the DOT language with fixed positions, as input for `neato -n2`.
std::string drawing_dot(const Drawing& drawing);

}  // namespace ambit::report
