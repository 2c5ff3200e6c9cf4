#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

#include "report/draw/drawing.h"
#include "report/draw/line_route.h"
#include "report/html/html.h"

namespace ambit::report {
namespace {

constexpr double kLetter = 6.6;  ///< maximum width of a letter in the font, in points

/// Maximum number of nodes for which Graphviz routes the lines. The time that Graphviz needs grows with the cube of the
/// number of nodes: 15 ms for 24 nodes, 150 ms for 55 nodes.
constexpr std::ptrdiff_t kManyNodes = 24;

constexpr double kHeadLength = 7;  ///< length of an arrow head: 10 points times Graphviz' `arrowsize`

std::string dot_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n') {
      out += "\\n";
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string position(const Box& box) { return fmt::format("{:.0f},{:.0f}", box.x, box.y); }

std::string size(const Box& box) { return fmt::format("width={:.3f} height={:.3f}", box.width / 72, box.height / 72); }

/// Formats a label: the first line is normal, and the other lines are small and grey.
std::string two_lines(std::string_view text) {
  const std::size_t end = text.find('\n');
  if (end == std::string_view::npos) return fmt::format("<{}>", html_text(text));
  std::string below;
  for (const char c : html_text(text.substr(end + 1))) {
    if (c == '\n') {
      below += "<br/>";
    } else {
      below += c;
    }
  }
  // The space separates the letters of the second line from the descenders of the first line.
  return fmt::format("<{}<br/><font point-size=\"3\"> </font><br/><font point-size=\"9\" color=\"#555555\">{}</font>>",
                     html_text(text.substr(0, end)), below);
}

std::string look_of(const PlacedNode& node) {
  switch (node.look) {
    case PlacedNode::Look::Event: return "style=\"filled,rounded\" fillcolor=white color=\"#333333\"";
    case PlacedNode::Look::Marked: return "style=\"filled,rounded\" fillcolor=\"#FBE3D3\" color=\"#D55E00\" penwidth=2";
    case PlacedNode::Look::Ghost:
      return "style=\"dashed,rounded\" color=\"#D55E00\" fontcolor=\"#B04A00\" penwidth=1.5";
    case PlacedNode::Look::Initial: return "style=\"filled\" fillcolor=\"#F0F0F0\" color=\"#888888\"";
    case PlacedNode::Look::Thread: return "shape=plaintext fontname=\"Helvetica-Bold\"";
    case PlacedNode::Look::Label:
      return fmt::format("shape=plaintext fontcolor=\"{}\" fontname=\"{}\"", arrow_colour(node.kind),
                         node.matters ? "Helvetica-Bold" : "Helvetica");
    case PlacedNode::Look::Lifeline: return "style=filled fillcolor=\"#AAAAAA\" penwidth=0";
    case PlacedNode::Look::Section: return fmt::format("style=filled fillcolor=\"{}\" penwidth=0.5", node.fill);
    case PlacedNode::Look::Meeting: return "style=filled fillcolor=\"#0B5E8A\" penwidth=0";
    case PlacedNode::Look::Member: return "shape=circle style=filled fillcolor=\"#0B5E8A\" color=\"#0B5E8A\"";
    case PlacedNode::Look::Arrival: return "shape=circle style=filled fillcolor=white color=\"#0B5E8A\"";
    case PlacedNode::Look::Caption: return "shape=plaintext fontcolor=\"#0B5E8A\" fontname=\"Helvetica-Bold\"";
    case PlacedNode::Look::Small: return "shape=plaintext fontsize=9 fontcolor=\"#444444\"";
    case PlacedNode::Look::Corner: return "style=invis";
  }
  return {};
}

bool is_drawn(const PlacedNode& node) { return node.look != PlacedNode::Look::Corner; }

class DotWriter {
 public:
  explicit DotWriter(const Drawing& drawing)
      : drawing_(drawing),
        layout_(drawing.layout),
        is_routed_(!drawing.is_straight && std::ranges::count_if(drawing.layout.nodes, is_drawn) > kManyNodes) {}

  std::string write() {
    out_ = "digraph execution {\n";
    out_ += fmt::format(
        "  graph [splines={} esep=\"+2\" sep=\"+3\" outputorder=nodesfirst fontname=\"Helvetica\" fontsize=11 "
        "bgcolor=white];\n",
        drawing_.is_straight || is_routed_ ? "line" : "true");
    out_ += "  node [fontname=\"Helvetica\" fontsize=11 shape=box fixedsize=true margin=0];\n";
    out_ += "  edge [fontname=\"Helvetica\" arrowsize=0.7];\n";
    groups();
    for (const PlacedNode& node : layout_.nodes) this->node(node);
    title();
    legend();
    for (std::size_t i = 0; i < layout_.lines.size(); ++i) line(layout_.lines[i], i);
    return out_ + "}\n";
  }

 private:
  /// Nests each group in the previous group, which fixes the drawing order. Graphviz draws a group before
  /// its contents, but it draws sibling groups in the order of their memory addresses, which varies from run to run.
  /// The nesting has no other effect.
  void groups() {
    if (layout_.groups.empty()) return;
    // Graphviz takes the size of the drawing from the outermost group.
    out_ += fmt::format("  subgraph cluster_all {{ graph [style=invis bb=\"{:.0f},{:.0f},{:.0f},{:.0f}\"];\n",
                        layout_.left, layout_.bottom, layout_.right, layout_.top);
    for (std::size_t i = 0; i < layout_.groups.size(); ++i) {
      const PlacedGroup& group = layout_.groups[i];
      const Box& box = group.box;
      constexpr std::array<std::string_view, 4> kBackgrounds = {"#F0F0F0", "#F7F7F7", "#FFFFFF", "#E8F1F8"};
      const std::string_view background = kBackgrounds[static_cast<std::size_t>(group.depth)];
      out_ += fmt::format(
          "  subgraph cluster_{} {{ graph [label={} bb=\"{:.0f},{:.0f},{:.0f},{:.0f}\" lp=\"{:.0f},{:.0f}\" lwidth=1 "
          "lheight=0.2 style=\"rounded,filled\" fillcolor=\"{}\" color=\"#888888\" fontsize=11 "
          "fontcolor=\"#333333\"];\n",
          i, dot_string(group.name), box.left(), box.bottom(), box.right(), box.top(), box.x, box.top() - kGroupName,
          background);
    }
    out_ += "  " + std::string(layout_.groups.size() + 1, '}') + "\n";
  }

  void node(const PlacedNode& node) {
    const bool has_text = !node.text.empty();
    out_ += fmt::format("  {} [label={} pos=\"{}\" {} {}];\n", node.id, has_text ? two_lines(node.text) : "\"\"",
                        position(node.box), size(node.box), look_of(node));
  }

  void line(const PlacedLine& line, std::size_t index) {
    const bool is_race = line.kind == ArrowKind::Race;
    std::string look = fmt::format("color=\"{}\" penwidth={}", arrow_colour(line.kind), line.matters ? "2" : "1");
    if (is_race) look += " style=dashed";
    if (!line.has_head) look += " arrowhead=none";
    if (line.same_column) look += line.has_head ? " headport=e" : " tailport=e";
    if (is_routed_) look += fmt::format(" pos=\"{}\"", route(line, index));
    out_ += fmt::format("  {} -> {} [{}];\n", line.from, line.to, look);
  }

  std::string route(const PlacedLine& line, std::size_t lane) const {
    LineEnd from{{}, line.same_column && !line.has_head};
    LineEnd to{{}, line.same_column && line.has_head};
    std::vector<Box> others;
    for (const PlacedNode& node : layout_.nodes) {
      if (node.id == line.from) {
        from.box = node.box;
      } else if (node.id == line.to) {
        to.box = node.box;
      } else {
        others.push_back(node.box);
      }
    }
    return routed_line(from, to, line.has_head ? kHeadLength : 0, others, lane);
  }

  void title() {
    const std::string& text = drawing_.title;
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::size_t longest = std::max(end, text.size() - end);
    const Box box{layout_.left + static_cast<double>(longest) * 3.6, layout_.top + 32,
                  static_cast<double>(longest) * 7.2, 36};
    out_ += fmt::format(
        "  title [shape=plaintext pos=\"{}\" {} label=<<table border=\"0\" cellborder=\"0\" cellspacing=\"0\"><tr><td "
        "align=\"left\"><b>{}</b></td></tr><tr><td align=\"left\">{}</td></tr></table>>];\n",
        position(box), size(box), html_text(text.substr(0, end)),
        html_text(text.substr(std::min(end + 1, text.size()))));
  }

  void legend() {
    std::string rows;
    std::size_t longest = 0;
    for (const LegendRow& row : drawing_.legend) {
      longest = std::max(longest, row.meaning.size());
      rows += fmt::format(
          "<tr><td align=\"left\"><font color=\"{0}\"><b>{1}</b></font></td><td align=\"left\"><font "
          "color=\"#333333\">{2}</font></td></tr>",
          row.colour, row.sign, html_text(row.meaning));
    }
    const double height = 16 * static_cast<double>(drawing_.legend.size()) + 8;
    const double bottom = drawing_.legend.empty() ? layout_.bottom : layout_.bottom - 14 - height;
    const double width = std::max(310.0, static_cast<double>(longest) * 6 + 40);
    const Box box{layout_.left + width / 2, bottom + height / 2, width, height};
    if (!rows.empty()) {
      out_ += fmt::format(
          "  legend [shape=plaintext fontsize=10 pos=\"{}\" {} label=<<table border=\"0\" cellborder=\"0\" "
          "cellspacing=\"1\" width=\"{:.0f}\">{}</table>>];\n",
          position(box), size(box), width, rows);
    }
    notes(bottom);
  }

  void notes(double top) {
    if (drawing_.notes.empty()) return;
    std::size_t longest = 0;
    std::string rows;
    for (const std::string& note : drawing_.notes) {
      longest = std::max(longest, note.size());
      rows += fmt::format("<tr><td align=\"left\">{}</td></tr>", html_text(note));
    }
    const double width = static_cast<double>(longest) * 6 + 10;
    const double height = 14 * static_cast<double>(drawing_.notes.size()) + 8;
    const Box box{layout_.left + width / 2, top - 8 - height / 2, width, height};
    out_ += fmt::format(
        "  notes [shape=plaintext fontsize=10 pos=\"{}\" {} label=<<table border=\"0\" cellborder=\"0\" "
        "cellspacing=\"0\" "
        "cellpadding=\"1\" width=\"{:.0f}\">{}</table>>];\n",
        position(box), size(box), width, rows);
  }

  const Drawing& drawing_;
  const Layout& layout_;
  const bool is_routed_;  ///< whether this class computes the routes of all lines
  std::string out_;
};

}  // namespace

void Layout::bound() {
  bool is_first = true;
  const auto include = [&](const Box& box) {
    left = is_first ? box.left() : std::min(left, box.left());
    right = is_first ? box.right() : std::max(right, box.right());
    top = is_first ? box.top() : std::max(top, box.top());
    bottom = is_first ? box.bottom() : std::min(bottom, box.bottom());
    is_first = false;
  };
  for (const PlacedNode& node : nodes) include(node.box);
  for (const PlacedGroup& group : groups) include(group.box);
  // A group must come before the groups that it contains.
  std::stable_sort(groups.begin(), groups.end(), [](const PlacedGroup& a, const PlacedGroup& b) {
    return std::pair(a.box.left(), a.depth) < std::pair(b.box.left(), b.depth);
  });
}

double text_width(std::string_view text) {
  std::size_t longest = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    longest = std::max(longest, end);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return static_cast<double>(longest) * kLetter + 18;
}

std::string_view arrow_colour(ArrowKind kind) {
  constexpr std::array<std::string_view, 8> kColours = {"#555555", "#0072B2", "#B87800", "#A0407A",
                                                        "#2A8FC4", "#00795A", "#000000", "#D55E00"};
  return kColours[static_cast<std::size_t>(kind)];
}

std::string drawing_dot(const Drawing& drawing) { return DotWriter(drawing).write(); }

}  // namespace ambit::report
