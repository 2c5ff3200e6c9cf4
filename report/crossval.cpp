#include "report/crossval.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "report/table.h"

namespace ambit::report {
namespace {

using Align = Table::Align;

/// What detectors and models are set against: the label of the suite, if the test has one.
std::string mark(const CrossRow& row, std::optional<bool> race) {
  if (row.label.empty() || !race) return "";
  return (row.label == "race") == *race ? "" : " !";
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

std::vector<std::string> cells_of(const CrossRow& row, const std::vector<std::string>& titles) {
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
    if (row.has_counts()) table.add(cells_of(row, titles));
  }
  return table.render();
}

/// "as labelled: ptx 15/32, scord 32/32"; empty where no test has a label.
std::string label_line(std::span<const CrossScore> all) {
  std::string text;
  for (const CrossScore& one : all) {
    if (one.labelled == 0) continue;
    text += fmt::format("{}{} {}/{}", text.empty() ? "as labelled: " : ", ", one.title, one.as_labelled, one.labelled);
  }
  return text;
}

/// "t, u, v and 2 more".
std::string first_names(std::span<const std::string> names) {
  constexpr std::size_t kMostNamed = 3;
  std::string text;
  for (std::size_t i = 0; i < std::min(kMostNamed, names.size()); ++i) text += (i == 0 ? "" : ", ") + names[i];
  if (names.size() > kMostNamed) text += fmt::format(" and {} more", names.size() - kMostNamed);
  return text;
}

/// "scord in GPU as on recorded runs: 31/32 (not t)", a line for each that was asked both ways.
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

/// Tests that a detector inside the kernel could not look at: "t, u: ldetector did not run in the GPU: ...".
}  // namespace

std::vector<CrossJudge> CrossRow::judges() const {
  std::vector<CrossJudge> all;
  for (const CrossModel& model : models) all.push_back({model.model, model.race});
  const auto add = [&](const Detections& found) {
    all.push_back({found.detector + " in GPU", report::race_verdict(found), nullptr, &found});
  };
  for (const CrossDetector& one : detectors) {
    all.push_back({one.detector, report::race_verdict(*this, one), &one});
    for (const Detections& found : in_gpu) {
      if (found.detector == one.detector) add(found);
    }
  }
  for (const Detections& found : in_gpu) {
    const bool has_twin = std::any_of(detectors.begin(), detectors.end(),
                                      [&](const CrossDetector& one) { return one.detector == found.detector; });
    if (!has_twin) add(found);
  }
  return all;
}

bool CrossRow::has_forbidden() const {
  return std::any_of(models.begin(), models.end(), [](const CrossModel& model) { return !model.forbidden.empty(); });
}

std::uint64_t CrossRow::unaccounted() const {
  std::uint64_t known = incidents.deadlocks + incidents.bound_hits + incidents.dropped;
  for (const CrossOutcome& one : histogram) known += one.runs;
  return runs - known;
}

bool CrossRow::is_open() const {
  return !error.empty() || incidents.uncounted > 0 || unaccounted() > 0 ||
         std::ranges::any_of(models, [](const CrossModel& model) { return !model.is_complete; }) ||
         std::ranges::any_of(in_gpu, [](const Detections& found) { return !report::race_verdict(found); }) ||
         std::ranges::any_of(detectors, [&](const CrossDetector& one) { return !report::race_verdict(*this, one); });
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
  if (detector.racy > 0) return true;
  const bool saw_all = detector.without_verdict == 0 && row.weak == 0 && row.incidents.unrecorded == 0;
  return saw_all ? std::optional(false) : std::nullopt;
}

std::vector<std::string> incident_texts(const CrossRow& row) {
  std::vector<std::string> texts;
  const auto add = [&](std::uint64_t count, std::uint64_t all, std::string_view what) {
    if (count > 0) texts.push_back(fmt::format("{} of {} {}", count, all, what));
  };
  const CrossIncidents& met = row.incidents;
  add(met.deadlocks, row.runs, "runs ended in a deadlock: some thread could not go on");
  add(met.bound_hits, row.runs, "runs stopped at the bound on steps");
  add(met.dropped, row.runs, "runs left out: an assumption or the filter was not met");
  add(met.uncounted, row.runs + met.uncounted,
      "runs are in no count: the device's table has no room for more outcomes");
  add(row.unaccounted(), row.runs, "runs: the log does not say how they ended");
  add(met.unrecorded, row.recorded,
      "recorded runs were looked at by no detector (given up, too long, or too many that differ)");
  texts.insert(texts.end(), met.notes.begin(), met.notes.end());
  return texts;
}

std::vector<std::string> judge_titles(std::span<const CrossRow> rows) {
  std::vector<std::string> titles;
  for (const CrossRow& row : rows) {
    if (!row.has_counts()) continue;
    auto place = titles.begin();
    for (const CrossJudge& judge : row.judges()) {
      const auto known = std::find(titles.begin(), titles.end(), judge.title);
      place = (known == titles.end() ? titles.insert(place, judge.title) : known) + 1;
    }
  }
  return titles;
}

std::vector<std::string> idle_detectors(std::span<const CrossRow> rows) {
  std::map<std::pair<std::string, std::string>, std::vector<std::string>> tests;  // by detector and reason
  for (const CrossRow& row : rows) {
    for (const Detections& found : row.in_gpu) {
      if (!found.not_run.empty()) tests[{found.detector, found.not_run}].push_back(row.test);
    }
  }
  std::vector<std::string> lines;
  for (const auto& [why, names] : tests) {
    lines.push_back(fmt::format("{}: {} did not run in the GPU: {}", first_names(names), why.first, why.second));
  }
  return lines;
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

std::vector<CrossScore> scores(std::span<const CrossRow> rows) {
  std::vector<CrossScore> all;
  const auto score_of = [&](const CrossJudge& judge) -> CrossScore& {
    const auto known = std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.title == judge.title; });
    if (known != all.end()) return *known;
    CrossScore& score = all.emplace_back();
    score.title = judge.title;
    if (judge.replayed != nullptr) score.kind = CrossScore::Kind::Replayed;
    if (judge.in_gpu != nullptr) score.kind = CrossScore::Kind::InGpu;
    return score;
  };
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::vector<CrossJudge> judges = rows[i].judges();
    for (const CrossJudge& judge : judges) {
      CrossScore& score = score_of(judge);
      if (!judge.race) continue;
      if (!rows[i].label.empty()) {
        const bool is_racy = rows[i].label == "race";
        ++score.labelled;
        ++(*judge.race == is_racy ? score.as_labelled : is_racy ? score.missed : score.false_alarms);
      }
      const auto twin = std::find_if(judges.begin(), judges.end(), [&](const CrossJudge& other) {
        return judge.in_gpu != nullptr && other.title == judge.in_gpu->detector && other.replayed != nullptr;
      });
      if (twin == judges.end() || !twin->race) continue;
      ++score.compared;
      if (*twin->race != *judge.race) score.differing.push_back(i);
    }
  }
  return all;
}

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
