#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/html/pages.h"

namespace ambit::report {
namespace {

/// Shortens places in the test's own file: "mp.litmus:8" becomes "line 8".
std::string with_own_lines(const TestPage& page, std::string text) {
  const std::string own = page.file + ":";
  if (page.file.empty()) return text;
  for (std::size_t at = text.find(own); at != std::string::npos; at = text.find(own, at)) {
    text.replace(at, own.size(), "line ");
  }
  return text;
}

std::string linked(const TestPage& page, const std::string& text) {
  const SourceFile nothing;
  return html_with_lines(with_own_lines(page, text), page.source ? *page.source : nothing);
}

/// Joins the lines with line breaks.
std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += (text.empty() ? "" : "\n") + line;
  return text;
}

std::string facts(const TestPage& page) {
  std::string text = "<p><a href=\"index.html\">All tests</a>";
  if (!page.file.empty()) text += fmt::format(" · <code>{}</code>", html_text(page.file));
  for (const auto& [name, fact] : page.facts) text += fmt::format(" · {}: <b>{}</b>", html_text(name), html_text(fact));
  text += "</p>\n";
  for (const std::string& alarm : page.alarms) {
    // The tag <pre> keeps an error's caret below the column that it marks.
    const std::string_view tag = alarm.find('\n') == std::string::npos ? "p" : "pre";
    text += fmt::format("<{} class=\"alarm\">{}</{}>\n", tag, linked(page, alarm), tag);
  }
  for (const std::string& note : page.notes) text += fmt::format("<p class=\"doubt\">{}</p>\n", linked(page, note));
  return text;
}

/// Omits columns that no model fills.
std::string verdicts(const TestPage& page) {
  if (page.verdicts.empty()) return {};
  const auto any = [&](auto holds) { return std::any_of(page.verdicts.begin(), page.verdicts.end(), holds); };
  const bool has_status = any([](const PageVerdict& one) { return !one.status.empty(); });
  const bool has_condition = any([](const PageVerdict& one) { return !one.condition.empty(); });
  const bool has_race = any([](const PageVerdict& one) { return !one.race.empty(); });
  const bool has_remarks = any([](const PageVerdict& one) { return !one.remarks.empty(); });
  HtmlTable table;
  table.head("model");
  if (has_status) table.head(page.hardware.empty() ? "as expected" : "of its outcomes");
  if (has_condition) table.head("condition");
  if (has_race) table.head("race");
  if (has_remarks) table.head("expectations, and unmet expectations");
  for (const PageVerdict& one : page.verdicts) {
    std::vector<HtmlCell> row = {{one.model}};
    if (has_status) row.push_back({one.status, one.status_tone});
    if (has_condition) row.push_back({one.condition});
    if (has_race) row.push_back({one.race, one.race_tone});
    if (has_remarks) row.push_back({joined(one.remarks)});
    table.add(std::move(row));
  }
  return "<h2>Models</h2>\n" + table.render();
}

std::string picture(const PagePicture& picture, std::string_view heading) {
  std::string text = fmt::format("<h2>{}</h2>\n", html_text(heading));
  if (!picture.title.empty()) text += fmt::format("<p>{}</p>\n", html_text(picture.title));
  if (picture.svg.empty()) {
    text += "<p class=\"soft\">There is no picture.</p>\n";
  } else {
    text += html_picture(picture.svg, picture.title.empty() ? heading : picture.title);
  }
  if (!picture.below.empty()) text += fmt::format("<p>{}</p>\n", html_text(picture.below));
  return text;
}

std::string source_and_picture(const TestPage& page) {
  std::string text;
  if (page.source) text += "<div><h2>Source</h2>\n" + html_source(*page.source) + "</div>\n";
  if (page.picture) text += "<div class=\"drawn\">" + picture(*page.picture, "Picture") + "</div>\n";
  return text.empty() ? text : "<div class=\"two\">\n" + text + "</div>\n";
}

std::string explanation(const TestPage& page) {
  std::string text;
  if (!page.explanation.empty()) {
    text += fmt::format("<h2>Explanation</h2>\n<pre>{}</pre>\n", linked(page, page.explanation));
  }
  if (!page.more.empty()) text += fmt::format("<p class=\"soft\">{}</p>\n", html_text(page.more));
  return text;
}

std::string findings(const TestPage& page) {
  if (page.findings.empty()) return {};
  HtmlTable table;
  table.head("detector");
  table.head("race");
  table.head("its first reports");
  for (const PageFinding& one : page.findings) {
    HtmlCell remarks{with_own_lines(page, joined(one.remarks))};
    remarks.lines = page.source;
    table.add({{one.detector}, {one.found, one.tone}, std::move(remarks)});
  }
  return "<h2>Detectors</h2>\n" + table.render();
}

/// Draws bars on a scale of powers of ten, because weak outcomes are rare.
std::string hardware(const TestPage& page) {
  if (page.hardware.empty()) return {};
  std::string text = fmt::format("<h2>Outcomes that were seen</h2>\n<p>{}</p>\n", html_text(page.hardware));
  if (page.outcomes.empty()) return text;
  std::uint64_t most = 1;
  for (const PageOutcome& one : page.outcomes) most = std::max(most, one.count);
  text +=
      "<div class=\"wide\"><table><thead><tr><th>outcome</th><th>runs</th><th>on a scale of powers of "
      "ten</th><th></th></tr></thead><tbody>\n";
  for (const PageOutcome& one : page.outcomes) {
    const double share = std::log10(static_cast<double>(one.count) + 1) / std::log10(static_cast<double>(most) + 1);
    const bool is_bad = !one.forbidden.empty();
    text += fmt::format(
        "<tr><td><code>{}</code></td><td class=\"n\">{}</td><td><span class=\"bar{}\" "
        "style=\"width:{:.1f}rem\"></span></td>"
        "<td>{}</td></tr>\n",
        html_text(one.outcome), one.count, is_bad ? " bad" : "", 24 * share,
        is_bad ? html_span("forbidden by " + one.forbidden, Tone::Bad) : "");
  }
  return text + "</tbody></table></div>\n";
}

}  // namespace

std::string test_page(const TestPage& page) {
  std::string body = facts(page) + verdicts(page) + source_and_picture(page) + explanation(page) + findings(page);
  for (const PagePicture& timeline : page.timelines) body += picture(timeline, "A run with a race");
  body += hardware(page);
  if (!page.runs.empty()) {
    body += fmt::format(
        "<h2>Runs</h2>\n<details><summary>Every run, with its schedule</summary>\n{}<p "
        "class=\"soft\">{}</p></details>\n",
        page.runs.render(), html_text(page.runs_note));
  }
  return html_page(page.name, body, true);
}

}  // namespace ambit::report
