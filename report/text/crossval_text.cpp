#include "report/text/result_texts.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "report/results/words.h"
#include "report/text/table.h"

namespace ambit::report {
namespace {

using Align = Table::Align;

constexpr const char* kMark = " !";

/// Returns a mark if a verdict disagrees with the suite's label; otherwise, an empty text.
std::string mark(const CrossRow& row, std::optional<bool> race) {
  if (row.label.empty() || !race) return "";
  return (row.label == "race") == *race ? "" : kMark;
}

std::string race_cell(const CrossRow& row, const CrossJudge& judge) {
  if (judge.replayed != nullptr && judge.replayed->without_verdict > 0) {
    return fmt::format("{} ({} open){}", judge.race ? "race" : "?", judge.replayed->without_verdict,
                       mark(row, judge.race));
  }
  if (judge.replayed != nullptr && !judge.race) return "?";
  if (judge.in_gpu == nullptr) return !judge.race ? "" : (*judge.race ? "race" : "-") + mark(row, judge.race);
  std::string text;
  switch (race_frequency(*judge.in_gpu)) {
    case RaceFrequency::Unknown: text = "?"; break;
    case RaceFrequency::NoRun: text = "-"; break;
    case RaceFrequency::SomeRuns: text = "some"; break;
    case RaceFrequency::EveryRun: text = "every"; break;
  }
  if (judge.in_gpu->without_verdict > 0) text += fmt::format(" ({} open)", judge.in_gpu->without_verdict);
  return text + mark(row, judge.race);
}

std::vector<std::string> header(const std::vector<std::string>& titles) {
  std::vector<std::string> cells = {"test", "label"};
  cells.insert(cells.end(), titles.begin(), titles.end());
  cells.insert(cells.end(), {"runs", "outcomes", "seen/allowed", "recorded", "traces", "weak"});
  return cells;
}

std::vector<std::string> row_cells(const CrossRow& row, const std::vector<std::string>& titles) {
  std::vector<std::string> cells = {row.test, row.label};
  const std::vector<CrossJudge> judges = row.judges();
  for (const std::string& title : titles) {
    const auto judge = std::ranges::find(judges, title, &CrossJudge::title);
    cells.push_back(judge == judges.end() ? "" : race_cell(row, *judge));
  }
  std::string seen;
  for (const CrossModel& model : row.models) {
    seen += fmt::format("{}{}/{}{}", seen.empty() ? "" : " ", model.seen, model.allowed, model.is_complete ? "" : "+");
  }
  for (const auto number : {row.runs, row.outcomes}) cells.push_back(fmt::format("{}", number));
  cells.push_back(seen);
  for (const auto number : {row.recorded, row.traces, row.weak}) cells.push_back(fmt::format("{}", number));
  return cells;
}

std::string table_of(std::span<const CrossRow> rows) {
  const std::vector<std::string> titles = judge_titles(rows);
  const std::vector<std::string> names = header(titles);
  std::vector<Align> columns(names.size(), Align::Left);
  std::fill(columns.end() - 6, columns.end(), Align::Right);
  Table table(columns);
  table.add(names);
  table.add_rule();
  for (const CrossRow& row : rows) {
    if (row.has_counts()) table.add(row_cells(row, titles));
  }
  std::string text = table.render();
  const bool has_marks = text.find(std::string(kMark) + " ") != std::string::npos;
  return has_marks ? text + "! the answer is not the suite's label\n" : text;
}

/// Returns how often each judge agrees with the labels: "as labelled: ptx 15/32, scord 32/32"; empty if no test has a
/// label.
std::string label_line(std::span<const CrossScore> all) {
  std::string text;
  for (const CrossScore& one : all) {
    if (one.labelled == 0) continue;
    text += fmt::format("{}{} {}/{}", text.empty() ? "as labelled: " : ", ", one.title, one.as_labelled, one.labelled);
  }
  return text;
}

/// Compares each detector inside the kernel with the same detector on recorded runs. Returns a line for each detector
/// that ran in both ways: "scord in GPU as on recorded runs: 31/32 (not t)".
std::string agreement_lines(std::span<const CrossRow> rows, std::span<const CrossScore> all) {
  std::string text;
  for (const CrossScore& one : all) {
    if (one.compared == 0) continue;
    text += fmt::format("{} as on recorded runs: {}/{}", one.title, one.compared - one.differing.size(), one.compared);
    std::vector<std::string> differing;
    for (const std::size_t row : one.differing) differing.push_back(rows[row].test);
    text += differing.empty() ? "\n" : fmt::format(" (not {})\n", first_names(differing));
  }
  return text;
}

}  // namespace

std::string crossval_text(std::span<const CrossRow> rows, const Style& style) {
  std::string text;
  for (const std::string& line : violations(rows)) text += style.bad("FORBIDDEN  " + line) + "\n";
  if (std::ranges::any_of(rows, &CrossRow::has_counts)) text += table_of(rows);
  for (const CrossRow& row : rows) {
    for (const std::string& incident : incident_texts(row)) text += fmt::format("{}: {}\n", row.test, incident);
    if (!row.error.empty()) text += fmt::format("{}: {}\n", row.test, row.error);
  }
  for (const std::string& line : idle_detectors(rows)) text += line + "\n";
  const std::vector<CrossScore> all = scores(rows);
  if (const std::string line = label_line(all); !line.empty()) text += line + "\n";
  text += agreement_lines(rows, all);
  return text;
}

}  // namespace ambit::report
