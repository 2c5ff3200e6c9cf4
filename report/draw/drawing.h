#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "report/draw/picture.h"

namespace ambit::report {

/// A box of a drawing in points, with y growing upwards as in Graphviz; (x, y) is its middle.
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
    Lifeline,  ///< a thread's time, downwards
    Section,   ///< a critical section: a bar along its thread
    Meeting,   ///< a barrier: a line across its threads
    Member,    ///< a thread that waited at a barrier
    Arrival,   ///< a thread that arrived at a barrier and did not wait
    Caption,   ///< text at a barrier
    Small,     ///< text beside events
    Corner,    ///< a bend of a line: not drawn
  } look = Look::Event;
  ArrowKind kind = ArrowKind::Other;  ///< Label
  bool matters = false;               ///< Label
  std::string_view fill = {};         ///< Section: its colour
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
  std::vector<PlacedGroup> groups;
  std::vector<PlacedNode> nodes;  ///< drawn in this order
  std::vector<PlacedLine> lines;
  double left = 0, right = 0, top = 0, bottom = 0;

  /// Sets the bounds to those of nodes and groups, and orders groups from left to right, outer ones first.
  void bound();
};

/// A line of a legend.
struct LegendRow {
  std::string_view colour;
  std::string_view sign;  ///< may contain HTML entities
  std::string meaning;
};

/// A drawing with all positions, ready for Graphviz.
struct Drawing {
  std::string title;  ///< one line, or two
  Layout layout;
  std::vector<LegendRow> legend;
  std::vector<std::string> notes;  ///< below the legend, a line each
  bool is_straight = false;        ///< lines do not curve around boxes
};

/// Returns the width in points of the longest line of a text in the font of events, rounded up.
double text_width(std::string_view text);

/// Returns "#0072B2": a colour that colour-blind readers can distinguish from the others (Okabe and Ito's palette).
std::string_view arrow_colour(ArrowKind kind);

/// Returns the drawing in Graphviz' language, with every position fixed: input for `neato -n2`.
std::string drawing_dot(const Drawing& drawing);

}  // namespace ambit::report
