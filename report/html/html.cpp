#include "report/html/html.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/assert.h"

namespace ambit::report {
// The contents of the style and script files in report/html.
std::string_view colors_css();
std::string_view pictures_css();
std::string_view picture_view_js();

namespace {

constexpr std::string_view kStyle = R"css(
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 96rem; overflow-wrap: break-word; padding: 1.2rem 2rem 4rem; color: var(--ink); background: var(--paper);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
h1 { font-size: 1.45rem; margin: .4rem 0 .6rem; overflow-wrap: anywhere; } h2 { font-size: 1.12rem; margin: 1.8rem 0 .5rem; }
h3 { font-size: 1rem; margin: 1rem 0 .3rem; }
a { color: var(--accent); } a:focus-visible, button:focus-visible { outline: 2px solid var(--accent); }
.wide { overflow: auto; max-height: 95vh; margin: .6rem 0 1.2rem; } table { border-collapse: collapse; }
th, td { padding: .28rem .6rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
td { overflow-wrap: break-word; min-width: 1.6rem; max-width: 60rem; } td small { display: block; color: var(--soft); white-space: nowrap; } td.bad small { color: var(--bad); }
#tests td:first-child { min-width: 14rem; max-width: 24rem; } #tests th, #tests td { padding-left: .25rem; padding-right: .25rem; } #tests td.c { padding-left: .22rem; padding-right: .22rem; }
#models th { white-space: nowrap; } th { background: var(--shade); position: sticky; top: 0; z-index: 2; }
th[aria-sort] button::after { content: " \25B2"; font-size: .75em; } th[aria-sort="descending"] button::after { content: " \25BC"; }
.sortable th button:hover { text-decoration: underline; } p.filter { display: flex; flex-wrap: wrap; gap: .4rem 1.4rem; align-items: center; } p.filter input[type="checkbox"] { min-width: 0; }
th.up { padding: .5rem .2rem; vertical-align: bottom; text-align: center; font-weight: 500; }
th.up span { display: inline-block; writing-mode: vertical-rl; transform: rotate(180deg); }
tr.groups th { position: static; text-align: center; font-weight: 500; color: var(--soft); border-left: 3px solid var(--paper); }
th.n { text-align: right; } td.n { white-space: nowrap; text-align: right; font-variant-numeric: tabular-nums; } td.c { text-align: center; padding-left: .35rem; padding-right: .35rem; }
pre, code { font: 13px/1.5 ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; }
pre { background: var(--shade); padding: .8rem 1rem; margin: .3rem 0; overflow-x: auto; border-radius: 4px; }
.good { color: var(--good); } .bad { color: var(--bad); font-weight: 600; } .doubt { color: var(--unknown); } .soft { color: var(--soft); }
dl.words { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .15rem 1rem; margin: .4rem 0 1rem; } dl.words dt { font-weight: 600; } dl.words dd { margin: 0; }
.fine { border-left: 4px solid var(--good); padding: .3rem .9rem; }
.two { display: flex; flex-wrap: wrap; gap: .4rem 2rem; align-items: flex-start; } .two > * { flex: 1 1 36rem; min-width: 0; } .two > .drawn { flex: 0 1 auto; }
.source { counter-reset: l; } .source span[id] { counter-increment: l; display: block; min-height: 1.5em; padding-left: 2.6em; text-indent: -2.6em; white-space: pre-wrap; overflow-wrap: anywhere; }
.source span.w { white-space: pre; }
.source span[id]::before { content: counter(l); display: inline-block; width: 2em; margin-right: .6em; text-align: right; text-indent: 0; color: var(--soft); }
.source span:target { background: var(--found); }
.k { color: var(--keyword); font-weight: 600; } .t { color: var(--good); } .a { color: var(--atom); font-weight: 600; } .p { color: var(--property); }
.m { color: var(--macro); } .d { color: var(--number); } .s { color: var(--string); } .c-c { color: var(--soft); font-style: italic; }
.bar { display: inline-block; height: .75em; background: #0072b2; vertical-align: baseline; min-width: 1px; } .bar.bad { background: #d55e00; }
.alarm { border: 2px solid var(--bad); padding: .6rem 1rem; border-radius: 4px; }
details > summary { cursor: pointer; color: var(--accent); }
button { font: inherit; border: none; background: none; padding: 0; cursor: pointer; color: inherit; text-align: inherit; }
input { font: inherit; padding: .3rem .5rem; border: 1px solid var(--box-line); border-radius: 4px; min-width: 22rem; max-width: 100%; color: inherit; background: var(--box); }
@media (max-width: 60rem) { body { padding: .8rem .8rem 3rem; } input { min-width: 0; }
  :is(#tests, #models) :is(td, th):first-child { position: sticky; left: 0; z-index: 1; background: var(--paper); min-width: 8rem; max-width: 45vw; overflow-wrap: anywhere; }
  :is(#tests, #models) thead tr:last-child th:first-child { z-index: 3; background: var(--shade); } #tests tr.groups th:first-child { position: static; } #tests td:first-child small { white-space: normal; } }
@media print { :root { color-scheme: light; } body { max-width: none; padding: 0; font-size: 11px; } input { display: none; } th { position: static; } .wide { overflow: visible; max-height: none; } pre { white-space: pre-wrap; border: 1px solid var(--line); }
  a { color: inherit; } picture-view, table { break-inside: avoid; } table#tests { break-inside: auto; } }
)css";

/// The script for sortable tables. A click on a column's head sorts the rows by this column, and marks the head. The
/// search field hides rows without the typed text. The check box hides rows without a failure.
constexpr std::string_view kScript = R"js(
for (const table of document.querySelectorAll("table.sortable")) {
  const heads = [...table.querySelectorAll("thead tr:last-child th")];
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.title = "Sort by this column";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const isAscending = head.getAttribute("aria-sort") !== "ascending";
      const rows = [...table.tBodies[0].rows];
      const key = (row) => row.cells[column]?.dataset.key ?? row.cells[column]?.textContent.trim() ?? "";
      const order = new Intl.Collator(undefined, { numeric: true });
      rows.sort((a, b) => (isAscending ? 1 : -1) * order.compare(key(a), key(b)));
      table.tBodies[0].append(...rows);
      heads.forEach((one) => one.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", isAscending ? "ascending" : "descending");
    });
  });
}
for (const box of document.querySelectorAll("input[data-filter]")) {
  const rows = [...document.querySelectorAll(box.dataset.filter + " tbody tr")];
  const failures = document.querySelector(`input[data-failures="${box.dataset.filter}"]`);
  const hide = () => {
    const wanted = box.value.toLowerCase();
    for (const row of rows) row.hidden = !row.textContent.toLowerCase().includes(wanted) || Boolean(failures?.checked && !row.classList.contains("failed"));
  };
  box.addEventListener("input", hide);
  failures?.addEventListener("change", hide);
  if (box.value || failures?.checked) hide();
}
)js";

constexpr std::string_view kPictureTag = "picture-view";

std::string_view class_of(Tone tone) {
  switch (tone) {
    case Tone::Plain: return "";
    case Tone::Good: return "good";
    case Tone::Bad: return "bad";
    case Tone::Doubtful: return "doubt";
    case Tone::Soft: return "soft";
  }
  return "";
}

void add_cell(std::string& text, const HtmlCell& cell) {
  std::string classes(cell.place == HtmlCell::Place::Right ? "n" : cell.place == HtmlCell::Place::Middle ? "c" : "");
  if (const std::string_view tone = class_of(cell.tone); !tone.empty()) {
    classes += fmt::format("{}{}", classes.empty() ? "" : " ", tone);
  }
  text += "<td";
  if (!classes.empty()) text += fmt::format(" class=\"{}\"", classes);
  if (cell.span > 1) text += fmt::format(" colspan=\"{}\"", cell.span);
  if (!cell.key.empty()) text += fmt::format(" data-key=\"{}\"", html_text(cell.key));
  text += '>';
  if (cell.link.empty()) {
    const SourceFile nothing;
    for (const char c : html_with_lines(cell.text, cell.lines ? *cell.lines : nothing)) {
      if (c == '\n') {
        text += "<br>";
      } else {
        text += c;
      }
    }
  } else {
    text += fmt::format("<a href=\"{}\">{}</a>", html_text(cell.link), html_text(cell.text));
  }
  if (!cell.below.empty()) text += fmt::format("<small>{}</small>", html_text(cell.below));
  text += "</td>";
}

/// Returns whether a row has a cell with the tone Bad or Doubtful. An unknown answer is Doubtful, so it counts as a
/// failure.
bool is_failure(const std::vector<HtmlCell>& row) {
  return std::ranges::any_of(
      row, [](const HtmlCell& cell) { return cell.tone == Tone::Bad || cell.tone == Tone::Doubtful; });
}

}  // namespace

std::string html_text(std::string_view text) {
  std::string escaped;
  escaped.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '&': escaped += "&amp;"; break;
      case '<': escaped += "&lt;"; break;
      case '>': escaped += "&gt;"; break;
      case '"': escaped += "&quot;"; break;
      case '\'': escaped += "&#39;"; break;
      default: escaped += c;
    }
  }
  return escaped;
}

std::string html_picture(std::string_view svg, std::string_view label) {
  return fmt::format("<{0} label=\"{1}\">{2}</{0}>\n", kPictureTag, html_text(label), svg);
}

std::string html_page(std::string_view title, std::string_view body, bool is_sortable) {
  const bool has_picture = body.find(fmt::format("<{} ", kPictureTag)) != std::string_view::npos;
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
      "content=\"width=device-width, initial-scale=1, "
      "minimum-scale=1\">\n<title>{0}</title>\n<style>{1}{2}{3}</style>\n</head>\n<body>\n"
      "<h1>{0}</h1>\n{4}\n{5}{6}</body>\n</html>\n",
      html_text(title), colors_css(), kStyle, has_picture ? pictures_css() : "", body,
      is_sortable ? fmt::format("<script>{}</script>\n", kScript) : "",
      has_picture ? fmt::format("<script>{}</script>\n", picture_view_js()) : "");
}

std::string html_span(std::string_view text, Tone tone) {
  const std::string_view css_class = class_of(tone);
  if (css_class.empty()) return html_text(text);
  return fmt::format("<span class=\"{}\">{}</span>", css_class, html_text(text));
}

std::string HtmlTable::filter() const {
  const std::string id = html_text(id_);
  std::string text = fmt::format(
      "<p class=\"filter\"><input type=\"search\" placeholder=\"show only rows that contain this text\" "
      "aria-label=\"filter\" data-filter=\"#{}\">",
      id);
  if (const auto failed = std::count_if(rows_.begin(), rows_.end(), is_failure); failed > 0) {
    text += fmt::format("<label><input type=\"checkbox\" data-failures=\"#{}\"> only failures ({} of {} rows)</label>",
                        id, failed, rows_.size());
  }
  return text + "</p>\n";
}

std::string HtmlTable::groups() const {
  if (groups_.empty()) return {};
  std::string text = "<tr class=\"groups\">";
  for (const Group& one : groups_) {
    text += fmt::format("<th colspan=\"{}\">{}</th>", one.columns, html_text(one.text));
  }
  return text + "</tr>";
}

std::string HtmlTable::render() const {
  std::string text = "<div class=\"wide\">";
  text += id_.empty() ? "<table>" : fmt::format("<table class=\"sortable\" id=\"{}\">", html_text(id_));
  const bool has_heads = std::any_of(heads_.begin(), heads_.end(), [](const Head& one) { return !one.text.empty(); });
  if (has_heads) {
    text += "<thead>" + groups() + "<tr>";
    for (std::size_t i = 0; i < heads_.size(); ++i) {
      const bool is_number =
          !rows_.empty() && i < rows_.front().size() && rows_.front()[i].place == HtmlCell::Place::Right;
      const std::string head = html_text(heads_[i].text);
      if (heads_[i].is_upright) {
        text += fmt::format("<th class=\"up\"><span>{}</span></th>", head);
      } else {
        text += fmt::format("<th{}>{}</th>", is_number ? " class=\"n\"" : "", head);
      }
    }
    text += "</tr></thead>";
  }
  text += "<tbody>\n";
  for (const std::vector<HtmlCell>& row : rows_) {
    std::size_t columns = 0;
    for (const HtmlCell& cell : row) columns += cell.span;
    AMBIT_ASSERT(!has_heads || columns <= heads_.size());  // every cell needs a head
    text += is_failure(row) ? "<tr class=\"failed\">" : "<tr>";
    for (const HtmlCell& cell : row) add_cell(text, cell);
    text += "</tr>\n";
  }
  return text + "</tbody></table></div>\n";
}

std::string PageNames::add(std::string_view name) {
  constexpr std::size_t kLongest = 120;
  std::string file(name.substr(0, kLongest));
  std::string lower;
  for (char& c : file) {
    const bool is_plain =
        std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' || c == '.' || c == '+';
    if (!is_plain) c = '_';
    lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  if (file.empty() || file.front() == '.') {
    file.insert(0, "_");
    lower.insert(0, "_");
  }
  std::string suffix;
  for (int i = 2; !taken_.insert(lower + suffix).second; ++i) suffix = fmt::format("-{}", i);
  return file + suffix + ".html";
}

}  // namespace ambit::report
