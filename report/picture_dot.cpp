#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "report/html.h"
#include "report/picture_layout.h"

namespace ambit::report {
namespace {

struct Colour {
  ArrowKind kind;
  std::string_view colour;  ///< Okabe and Ito's palette
  std::string_view meaning;
};
constexpr std::array<Colour, 8> kColours = {{
    {ArrowKind::ProgramOrder, "#555555", "program order, downwards"},
    {ArrowKind::ReadsFrom, "#0072B2", "rf: the read takes its value from this write"},
    {ArrowKind::Coherence, "#B87800", "co: the write is overwritten by this one"},
    {ArrowKind::FromReads, "#A0407A", "fr: the read saw a value older than this write's"},
    {ArrowKind::Barrier, "#2A8FC4", "both meet at one barrier"},
    {ArrowKind::Named, "#00795A", "a relation that the model defines"},
    {ArrowKind::Other, "#000000", "another relation, by its name"},
    {ArrowKind::Race, "#D55E00", "the missing order: a race"},
}};

const Colour& colour_of(ArrowKind kind) { return kColours[static_cast<std::size_t>(kind)]; }

std::string quoted(std::string_view text) {
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

/// The first line as it is, the second small and grey.
std::string two_lines(std::string_view text) {
  const std::size_t end = text.find('\n');
  if (end == std::string_view::npos) return fmt::format("<{}>", html_text(text));
  return fmt::format("<{}<br/><font point-size=\"9\" color=\"#555555\">{}</font>>", html_text(text.substr(0, end)),
                     html_text(text.substr(end + 1)));
}

class DotWriter {
 public:
  explicit DotWriter(const Picture& picture) : picture_(picture), layout_(lay_out(picture)) {}

  std::string write() {
    out_ = "digraph execution {\n";
    // Curved lines around the boxes take long to find in big pictures.
    constexpr std::size_t kManyNodes = 60;
    out_ += fmt::format(
        "  graph [splines={} esep=\"+2\" sep=\"+3\" outputorder=nodesfirst fontname=\"Helvetica\" fontsize=11 "
        "bgcolor=white];\n",
        layout_.nodes.size() > kManyNodes ? "line" : "true");
    out_ += "  node [fontname=\"Helvetica\" fontsize=11 shape=box fixedsize=true margin=0];\n";
    out_ += "  edge [fontname=\"Helvetica\" arrowsize=0.7];\n";
    groups();
    for (const PlacedNode& node : layout_.nodes) this->node(node);
    title();
    legend();
    for (const PlacedLine& line : layout_.lines) this->line(line);
    return out_ + "}\n";
  }

 private:
  void groups() {
    std::size_t number = 0;
    for (const PlacedGroup& group : layout_.groups) {
      const Box& box = group.box;
      const std::string_view ground = group.depth == 2 ? "#FFFFFF" : group.depth == 1 ? "#F7F7F7" : "#F0F0F0";
      out_ += fmt::format(
          "  subgraph cluster_{} {{ graph [label={} bb=\"{:.0f},{:.0f},{:.0f},{:.0f}\" lp=\"{:.0f},{:.0f}\" lwidth=1 "
          "lheight=0.2 style=\"rounded,filled\" fillcolor=\"{}\" color=\"#888888\" fontsize=11 fontcolor=\"#333333\"]; "
          "}}\n",
          number++, quoted(group.name), box.left(), box.bottom(), box.right(), box.top(), box.x, box.top() - 11,
          ground);
    }
  }

  void node(const PlacedNode& node) {
    std::string look;
    switch (node.look) {
      case PlacedNode::Look::Event: look = "style=\"filled,rounded\" fillcolor=white color=\"#333333\""; break;
      case PlacedNode::Look::Marked:
        look = "style=\"filled,rounded\" fillcolor=\"#FBE3D3\" color=\"#D55E00\" penwidth=2";
        break;
      case PlacedNode::Look::Ghost:
        look = "style=\"dashed,rounded\" color=\"#D55E00\" fontcolor=\"#B04A00\" penwidth=1.5";
        break;
      case PlacedNode::Look::Initial: look = "style=\"filled\" fillcolor=\"#F0F0F0\" color=\"#888888\""; break;
      case PlacedNode::Look::Thread: look = "shape=plaintext fontname=\"Helvetica-Bold\""; break;
      case PlacedNode::Look::Text: look = "shape=plaintext"; break;
      case PlacedNode::Look::Label:
        look = fmt::format("shape=plaintext fontcolor=\"{}\" fontname=\"{}\"", colour_of(node.kind).colour,
                           node.matters ? "Helvetica-Bold" : "Helvetica");
        break;
    }
    out_ += fmt::format("  {} [label={} pos=\"{}\" {} {}];\n", node.id, two_lines(node.text), position(node.box),
                        size(node.box), look);
  }

  void line(const PlacedLine& line) {
    const bool is_race = line.kind == ArrowKind::Race;
    std::string look = fmt::format("color=\"{}\" penwidth={}", colour_of(line.kind).colour, line.matters ? "2" : "1");
    if (is_race) look += " style=dashed";
    if (!line.has_head) look += " arrowhead=none";
    if (line.same_column) look += line.has_head ? " headport=e" : " tailport=e";
    out_ += fmt::format("  {} -> {} [{}];\n", line.from, line.to, look);
  }

  void title() {
    const std::string& text = picture_.title;
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
    std::set<ArrowKind> used;
    for (const PlacedLine& line : layout_.lines) used.insert(line.kind);
    if (used.empty()) return;
    std::string rows;
    for (const Colour& colour : kColours) {
      if (!used.contains(colour.kind)) continue;
      const std::string_view dash = colour.kind == ArrowKind::Race ? "- - -" : "&#8212;&#8212;";
      rows += fmt::format(
          "<tr><td align=\"left\"><font color=\"{0}\"><b>{1}</b></font></td><td align=\"left\"><font "
          "color=\"#333333\">{2}</font></td></tr>",
          colour.colour, dash, html_text(colour.meaning));
    }
    const double height = 16 * static_cast<double>(used.size()) + 8;
    const Box box{layout_.left + 155, layout_.bottom - 14 - height / 2, 310, height};
    out_ += fmt::format(
        "  legend [shape=plaintext fontsize=10 pos=\"{}\" {} label=<<table border=\"0\" cellborder=\"0\" "
        "cellspacing=\"1\">{}</table>>];\n",
        position(box), size(box), rows);
  }

  const Picture& picture_;
  Layout layout_;
  std::string out_;
};

}  // namespace

std::string picture_dot(const Picture& picture) { return DotWriter(picture).write(); }

std::string picture_page(const Picture& picture, std::string_view svg, std::string_view explanation) {
  const std::size_t begin = svg.find("<svg");
  const std::string_view drawing = begin == std::string_view::npos ? svg : svg.substr(begin);
  return html_page(picture.title.substr(0, picture.title.find('\n')),
                   fmt::format("{}\n<pre>{}</pre>\n", drawing, html_text(explanation)));
}

}  // namespace ambit::report
