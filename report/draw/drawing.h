#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "report/draw/picture.h"

namespace ambit::report {

/// A box of a drawing in points, y growing upwards as Graphviz has it; (x, y) is its middle.
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
    Member,    ///< a thread that waited there
    Arrival,   ///< a thread that arrived there and did not wait
    Caption,   ///< what is written at a barrier
    Small,     ///< what is written beside events
    Corner,    ///< where a line turns: not drawn
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

  /// Sets the bounds to what nodes and groups take, and puts groups in order: from left to right, outer ones first.
  void bound();
};

/// A line of a legend.
struct LegendRow {
  std::string_view colour;
  std::string_view sign;  ///< may contain HTML entities
  std::string meaning;
};

/// Everything in its place, to be written for Graphviz.
struct Drawing {
  std::string title;  ///< one line, or two
  Layout layout;
  std::vector<LegendRow> legend;
  std::vector<std::string> notes;  ///< below the legend, a line each
  bool is_straight = false;        ///< lines do not curve around boxes
};

/// Width in points of the longest line of a text in the font of events, on the wide side.
double text_width(std::string_view text);

/// "#0072B2": a colour that colour-blind readers can tell from the others (Okabe and Ito's palette).
std::string_view arrow_colour(ArrowKind kind);

/// The drawing in Graphviz' language, with every position fixed: to be drawn by `neato -n2`.
std::string drawing_dot(const Drawing& drawing);

}  // namespace ambit::report
