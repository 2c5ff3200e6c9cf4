#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <utility>

#include "report/draw/picture_layout.h"
#include "report/html/html.h"

namespace ambit::report {
namespace {

/// The meaning of each ArrowKind. An arrow of the kind Named or Other can have a separate meaning.
constexpr std::array<std::string_view, 8> kMeanings = {
    "program order, downwards",
    "rf: the read takes its value from this write",
    "co: the second write overwrites the first",
    "fr: the read saw a value older than this write's",
    "both meet at one barrier",
    "defined by the model",
    "a relation of the execution",
    "the missing order: a race",
};

bool has_own_meaning(ArrowKind kind) { return kind == ArrowKind::Named || kind == ArrowKind::Other; }

LegendRow row_of(ArrowKind kind, std::string meaning) {
  return {arrow_colour(kind), kind == ArrowKind::Race ? "- - -" : "&#8212;&#8212;", std::move(meaning)};
}

/// Returns a legend row for each kind of line in the picture. For the kinds Named and Other, returns a row for each
/// relation.
std::vector<LegendRow> legend_of(const Layout& layout, const std::vector<Arrow>& arrows) {
  std::set<ArrowKind> used;
  for (const PlacedLine& line : layout.lines) used.insert(line.kind);
  std::vector<LegendRow> rows;
  for (const ArrowKind kind : used) {
    const std::string meaning(kMeanings[static_cast<std::size_t>(kind)]);
    if (!has_own_meaning(kind)) {
      rows.push_back(row_of(kind, meaning));
      continue;
    }
    std::set<std::string_view> named;
    for (const Arrow& arrow : arrows) {
      if (arrow.kind != kind || !named.insert(arrow.label).second) continue;
      rows.push_back(row_of(kind, fmt::format("{}: {}", arrow.label, arrow.meaning.empty() ? meaning : arrow.meaning)));
    }
  }
  return rows;
}

}  // namespace

std::string picture_dot(const Picture& picture) {
  Drawing drawing;
  drawing.title = picture.title;
  drawing.layout = lay_out(picture);
  drawing.legend = legend_of(drawing.layout, picture.arrows);
  return drawing_dot(drawing);
}

std::string inline_svg(std::string_view svg) {
  std::string text;
  svg.remove_prefix(std::min(svg.find("<svg"), svg.size()));
  while (!svg.empty()) {
    if (svg.starts_with("<!--")) {
      svg.remove_prefix(std::min(svg.find("-->"), svg.size() - 3) + 3);
    } else if (svg.starts_with("<title>")) {
      svg.remove_prefix(std::min(svg.find("</title>"), svg.size() - 8) + 8);
    } else if (svg.starts_with("<g id=")) {
      text += "<g";
      svg.remove_prefix(std::min(svg.find('"', 7), svg.size() - 1) + 1);
    } else if (svg.front() == '\n') {
      if (!text.ends_with('\n')) text += '\n';
      svg.remove_prefix(1);
    } else {
      const std::size_t next = std::min(svg.find_first_of("<\n", 1), svg.size());
      text += svg.substr(0, next);
      svg.remove_prefix(next);
    }
  }
  return text;
}

std::string picture_page(std::string_view title, std::string_view svg, std::string_view explanation) {
  std::string body = html_picture(inline_svg(svg), title);
  if (!explanation.empty()) body += fmt::format("<pre>{}</pre>\n", html_text(explanation));
  return html_page(title, body);
}

}  // namespace ambit::report
