#include "report/results/crossval.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "report/results/words.h"

namespace ambit::report {

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
  add(met.deadlocks, row.runs, "runs ended in a deadlock");
  add(met.bound_hits, row.runs, "runs stopped at the bound on steps");
  add(met.dropped, row.runs, "runs do not count: an assumption or the filter did not hold");
  add(met.uncounted, row.runs + met.uncounted,
      "runs were not counted: the device's table was too small for their outcomes");
  add(row.unaccounted(), row.runs, "runs have no recorded end");
  add(met.unrecorded, row.recorded,
      "recorded runs were not replayed to detectors (too long, or too many different ones)");
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
  // Maps each detector and reason to the names of the tests.
  std::map<std::pair<std::string, std::string>, std::vector<std::string>> tests;
  for (const CrossRow& row : rows) {
    for (const Detections& found : row.in_gpu) {
      if (!found.not_run.empty()) tests[{found.detector, found.not_run}].push_back(row.test);
    }
  }
  std::vector<std::string> lines;
  for (const auto& [why, names] : tests) {
    lines.push_back(fmt::format("{}: {} did not run inside the GPU: {}", first_names(names), why.first, why.second));
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

}  // namespace ambit::report
