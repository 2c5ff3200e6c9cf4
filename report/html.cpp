#include "report/html.h"

#include <fmt/format.h>

#include <cctype>

namespace ambit::report {
namespace {

constexpr std::string_view kStyle = R"css(
:root { --ink: #1c2330; --soft: #5b6573; --line: #d8dde4; --shade: #f4f6f8; --good: #00674f; --bad: #b3261e; --doubt: #8a5a00; }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 84rem; padding: 1.5rem 2rem 4rem; color: var(--ink); background: #fff;
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
a { color: #1f5fa8; }
table { border-collapse: collapse; margin: .6rem 0 1.2rem; }
th, td { padding: .28rem .6rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
th { background: var(--shade); position: sticky; top: 0; }
th.up { writing-mode: vertical-rl; transform: rotate(180deg); padding: .5rem .2rem; vertical-align: bottom; font-weight: 500; }
td.n { text-align: right; font-variant-numeric: tabular-nums; } td.c { text-align: center; padding-left: .35rem; padding-right: .35rem; }
pre, code { font: 13px/1.5 ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; }
pre { background: var(--shade); padding: .8rem 1rem; overflow-x: auto; border-radius: 4px; }
.good { color: var(--good); } .bad { color: var(--bad); font-weight: 600; } .doubt { color: var(--doubt); } .soft { color: var(--soft); }
button { font: inherit; border: none; background: none; padding: 0; cursor: pointer; color: inherit; }
input { font: inherit; padding: .3rem .5rem; border: 1px solid var(--line); border-radius: 4px; }
)css";

/// Sorts the rows of a table by the column whose head is clicked; hides rows that do not hold what is typed.
constexpr std::string_view kScript = R"js(
for (const table of document.querySelectorAll("table.sortable")) {
  table.querySelectorAll("thead th").forEach((head, column) => {
    const button = document.createElement("button");
    button.append(...head.childNodes);
    head.append(button);
    let direction = 1;
    button.addEventListener("click", () => {
      const rows = [...table.tBodies[0].rows];
      const key = (row) => row.cells[column].dataset.key ?? row.cells[column].textContent.trim();
      rows.sort((a, b) => direction * key(a).localeCompare(key(b), undefined, { numeric: true }));
      direction = -direction;
      table.tBodies[0].append(...rows);
    });
  });
}
for (const box of document.querySelectorAll("input[data-filter]")) {
  box.addEventListener("input", () => {
    for (const row of document.querySelectorAll(box.dataset.filter + " tbody tr"))
      row.hidden = !row.textContent.toLowerCase().includes(box.value.toLowerCase());
  });
}
)js";

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

std::string html_page(std::string_view title, std::string_view body, bool is_sortable) {
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
      "content=\"width=device-width, initial-scale=1\">\n<title>{0}</title>\n<style>{1}</style>\n</head>\n<body>\n"
      "<h1>{0}</h1>\n{2}\n{3}</body>\n</html>\n",
      html_text(title), kStyle, body, is_sortable ? fmt::format("<script>{}</script>\n", kScript) : "");
}

std::string html_file_name(std::string_view name) {
  std::string file(name);
  for (char& c : file) {
    const bool is_plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' || c == '.';
    if (!is_plain) c = '_';
  }
  return file;
}

}  // namespace ambit::report
