#include "report/crossval.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "report/html.h"
#include "report/table.h"

namespace ambit::report {
namespace {

using Align = Table::Align;

/// What detectors and models are set against: the label of the suite, if the test has one.
std::string agreement(const CrossRow& row, std::optional<bool> race) {
  if (row.label.empty() || !race) return "";
  return (row.label == "race") == *race ? "" : " !";
}

std::string race_cell(const CrossRow& row, std::optional<bool> race) {
  if (!race) return "";
  return (*race ? "race" : "-") + agreement(row, race);
}

std::optional<bool> verdict(const CrossRow& row, const CrossDetector& detector) {
  if (row.traces == 0) return std::nullopt;
  return detector.racy > 0;
}

std::vector<std::string> header(const CrossRow& row) {
  std::vector<std::string> cells = {"test", "label"};
  for (const CrossModel& model : row.models) cells.push_back(model.model);
  for (const CrossDetector& detector : row.detectors) cells.push_back(detector.detector);
  cells.insert(cells.end(), {"runs", "outcomes", "seen/allowed", "recorded", "traces", "weak"});
  return cells;
}

std::vector<std::string> cells_of(const CrossRow& row) {
  std::vector<std::string> cells = {row.test, row.label};
  if (!row.error.empty()) {
    cells.push_back("not run: " + row.error.substr(0, row.error.find('\n')));
    return cells;
  }
  for (const CrossModel& model : row.models) cells.push_back(race_cell(row, model.race));
  for (const CrossDetector& detector : row.detectors) cells.push_back(race_cell(row, verdict(row, detector)));
  std::string seen;
  for (const CrossModel& model : row.models) {
    seen += fmt::format("{}{}/{}{}", seen.empty() ? "" : " ", model.seen, model.allowed, model.is_complete ? "" : "+");
  }
  for (const auto number : {row.runs, row.outcomes}) cells.push_back(fmt::format("{}", number));
  cells.push_back(seen);
  for (const auto number : {row.recorded, row.traces, row.weak}) cells.push_back(fmt::format("{}", number));
  return cells;
}

/// "ptx forbids and hardware showed ...", a line each.
std::vector<std::string> violations(std::span<const CrossRow> rows) {
  std::vector<std::string> lines;
  for (const CrossRow& row : rows) {
    for (const CrossModel& model : row.models) {
      for (const std::string& outcome : model.forbidden) {
        lines.push_back(fmt::format("{}: {} forbids {}", row.test, model.model, outcome));
      }
    }
  }
  return lines;
}

/// How many tests each model and detector judges as the label says.
std::string score(std::span<const CrossRow> rows) {
  std::vector<std::string> order;
  std::map<std::string, std::pair<int, int>> agreeing;
  const auto add = [&](const CrossRow& row, const std::string& name, std::optional<bool> race) {
    if (row.label.empty() || !race) return;
    if (!agreeing.contains(name)) order.push_back(name);
    agreeing[name].first += (row.label == "race") == *race ? 1 : 0;
    ++agreeing[name].second;
  };
  for (const CrossRow& row : rows) {
    for (const CrossModel& model : row.models) add(row, model.model, model.race);
    for (const CrossDetector& detector : row.detectors) add(row, detector.detector, verdict(row, detector));
  }
  std::string text;
  for (const std::string& name : order) {
    text += fmt::format("{}{} {}/{}", text.empty() ? "as labelled: " : ", ", name, agreeing[name].first,
                        agreeing[name].second);
  }
  return text;
}

std::string html_row(const std::vector<std::string>& cells, std::string_view tag) {
  std::string text = "<tr>";
  for (const std::string& cell : cells) {
    std::string_view look;
    if (cell.ends_with(" !")) look = " style=\"background:#fe9;color:#222\"";
    text += fmt::format("<{}{}>{}</{}>", tag, look, html_text(cell), tag);
  }
  return text + "</tr>\n";
}

constexpr std::string_view kIntroduction = R"(
<p>Each row is a small GPU program, run many times on a real GPU. A <b>model</b> says which outcomes the program may have and whether
it has a data race; a <b>detector</b> looks at recorded runs and says whether it sees one; the <b>label</b> is what the authors
of the test say. A yellow cell disagrees with the label.</p>
<p><b>seen/allowed</b>: outcomes that the GPU showed, of those that each model allows; <b>recorded</b>: runs with a recorder around each access;
<b>traces</b>: sequences of accesses that differ among them, which the detectors looked at; <b>weak</b>: recordings that no sequence
explains, so that no detector can look at them.</p>
)";

}  // namespace

bool CrossRow::has_forbidden() const {
  return std::any_of(models.begin(), models.end(), [](const CrossModel& model) { return !model.forbidden.empty(); });
}

std::string crossval_text(std::span<const CrossRow> rows, const Style& style) {
  std::string text;
  for (const std::string& line : violations(rows)) text += style.bad("FORBIDDEN  " + line) + "\n";
  const auto whole = std::find_if(rows.begin(), rows.end(), [](const CrossRow& row) { return row.error.empty(); });
  if (whole != rows.end()) {
    const std::vector<std::string> names = header(*whole);
    std::vector<Align> columns(names.size(), Align::Left);
    std::fill(columns.end() - 6, columns.end(), Align::Right);
    Table table(columns);
    table.add(names);
    table.add_rule();
    for (const CrossRow& row : rows) {
      if (row.error.empty()) table.add(cells_of(row));
    }
    text += table.render();
  }
  for (const CrossRow& row : rows) {
    if (!row.error.empty()) text += fmt::format("{}: {}\n", row.test, row.error);
  }
  if (const std::string line = score(rows); !line.empty()) text += line + "\n";
  return text;
}

std::string crossval_html(std::span<const CrossRow> rows) {
  std::string text(kIntroduction);
  const std::vector<std::string> bad = violations(rows);
  if (bad.empty()) {
    text += "<p>No outcome was seen that a model forbids.</p>\n";
  } else {
    text +=
        "<div style=\"background:#fcc;color:#222;padding:1em\"><b>Outcomes that a model forbids were seen</b>: a bug "
        "in the model or in the hardware.<ul>\n";
    for (const std::string& line : bad) text += fmt::format("<li>{}</li>\n", html_text(line));
    text += "</ul></div>\n";
  }
  const auto whole = std::find_if(rows.begin(), rows.end(), [](const CrossRow& row) { return row.error.empty(); });
  if (whole != rows.end()) {
    text += fmt::format("<p>{}. {}</p>\n<table>\n", html_text(whole->device), html_text(score(rows)));
    text += html_row(header(*whole), "th");
    for (const CrossRow& row : rows) text += html_row(cells_of(row), "td");
    text += "</table>\n";
  }
  return html_page("Models, detectors and hardware side by side", text, true);
}

}  // namespace ambit::report
