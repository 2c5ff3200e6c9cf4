#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "report/draw/picture.h"

namespace ambit::report {

/// A box in a drawing, in points. (x, y) is the middle of the box. y increases upwards, as in Graphviz.
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
    Lifeline,  ///< the vertical line of a thread; time runs downwards
    Section,   ///< a critical section: a bar along its thread
    Meeting,   ///< a barrier: a line across its threads
    Member,    ///< a thread that waited at a barrier
    Arrival,   ///< a thread that arrived at a barrier and did not wait
    Caption,   ///< text at a barrier
    Small,     ///< text next to events
    Corner,    ///< an invisible node: a bend of a line, or the space of a group's name
  } look = Look::Event;
  ArrowKind kind = ArrowKind::Other;  ///< for Label: kind of the labelled arrow
  bool matters = false;               ///< for Label: whether the arrow is thick
  std::string_view fill = {};         ///< for Section: colour
};

/// Distance between a group's top and the middle of its name.
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
  bool same_column = false;  ///< whether the line leaves and enters its boxes on their right sides
};

struct Layout {
  std::vector<PlacedGroup> groups;
  std::vector<PlacedNode> nodes;  ///< nodes in the order in which they are drawn
  std::vector<PlacedLine> lines;
  double left = 0, right = 0, top = 0, bottom = 0;

  /// Sets the bounds of the drawing, so that they include all nodes and groups. Sorts groups from left to right, with
  /// outer groups before inner groups.
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
  std::vector<std::string> notes;  ///< lines of text below the legend
  bool is_straight = false;        ///< whether lines are straight even if they cross boxes
};

/// Returns an upper bound, in points, for the width of a text's longest line in the font of events.
double text_width(std::string_view text);

/// Returns the colour of an arrow, such as "#0072B2". Colour-blind readers can distinguish the colours of all kinds of
/// arrows (palette of Okabe and Ito).
std::string_view arrow_colour(ArrowKind kind);

/// Returns the drawing in the DOT language with fixed positions, as input for `neato -n2`.
std::string drawing_dot(const Drawing& drawing);

}  // namespace ambit::report
