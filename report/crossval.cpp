#include "report/crossval.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

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
  for (const CrossDetector& detector : row.detectors) cells.push_back(race_cell(row, race_verdict(row, detector)));
  std::string seen;
  for (const CrossModel& model : row.models) {
    seen += fmt::format("{}{}/{}{}", seen.empty() ? "" : " ", model.seen, model.allowed, model.is_complete ? "" : "+");
  }
  for (const auto number : {row.runs, row.outcomes}) cells.push_back(fmt::format("{}", number));
  cells.push_back(seen);
  for (const auto number : {row.recorded, row.traces, row.weak}) cells.push_back(fmt::format("{}", number));
  return cells;
}

}  // namespace

bool CrossRow::has_forbidden() const {
  return std::any_of(models.begin(), models.end(), [](const CrossModel& model) { return !model.forbidden.empty(); });
}

void CrossRow::count_outcomes() {
  outcomes = histogram.size();
  for (CrossModel& model : models) {
    const auto is_among = [&](const std::vector<std::string>& names) {
      return std::find(names.begin(), names.end(), model.model) != names.end();
    };
    model.seen = 0;
    model.forbidden.clear();
    for (const CrossOutcome& one : histogram) {
      model.seen += is_among(one.allowed_by) ? 1 : 0;
      if (!is_among(one.forbidden_by)) continue;
      model.forbidden.push_back(fmt::format("{} ({} of {} runs)", one.outcome, one.runs, runs));
    }
  }
}

std::optional<bool> race_verdict(const CrossRow& row, const CrossDetector& detector) {
  if (row.traces == 0) return std::nullopt;
  return detector.racy > 0;
}

std::vector<std::string> violations(std::span<const CrossRow> rows) {
  std::vector<std::string> lines;
  for (const CrossRow& row : rows) {
    for (const CrossModel& model : row.models) {
      for (const std::string& outcome : model.forbidden) {
        lines.push_back(fmt::format("{}: {} forbids {}{}", row.test, model.model, outcome,
                                    model.race.value_or(false) ? "; it calls the test racy" : ""));
      }
    }
  }
  return lines;
}

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
    for (const CrossDetector& detector : row.detectors) add(row, detector.detector, race_verdict(row, detector));
  }
  std::string text;
  for (const std::string& name : order) {
    text += fmt::format("{}{} {}/{}", text.empty() ? "as labelled: " : ", ", name, agreeing[name].first,
                        agreeing[name].second);
  }
  return text;
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

}  // namespace ambit::report
