#include "report/results/validation_scores.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "core/race_report.h"

namespace ambit::report {
namespace {

/// The 97.5 % quantile of the normal distribution, for 95 % intervals.
constexpr double kQuantile = 1.959964;

/// Returns whether a detector reports a race in a run; nothing if the detector stopped early.
std::optional<bool> report_in(const ValidationTest& test, std::size_t detector, std::size_t run) {
  const ValidationFinding& finding = test.findings[detector];
  return finding.not_judged.empty() && run < finding.racy.size() ? finding.racy[run] : std::nullopt;
}

template <typename IsOf>
SortScore sort_score(const Validation& validation, std::string sort, const IsOf& is_of) {
  SortScore score{std::move(sort), 0, std::vector<SortScore::Found>(validation.detectors.size())};
  for (const ValidationTest& test : validation.tests) {
    if (!test.is_usable() || !is_of(test)) continue;
    ++score.tests;
    for (std::size_t i = 0; i < test.findings.size(); ++i) {
      score.found[i].judged += test.findings[i].found() || test.is_silent(test.findings[i]) ? 1 : 0;
      score.found[i].in_some_run += test.findings[i].found() ? 1 : 0;
      score.found[i].in_every_run += test.findings[i].always(test.runs) ? 1 : 0;
    }
  }
  return score;
}

/// Returns the smallest run of a test in which only one of two detectors reports a race; nothing if the detectors never
/// differ.
std::optional<Difference> difference_in(const Validation& validation, std::size_t test, std::size_t a, std::size_t b) {
  const ValidationTest& looked_at = validation.tests[test];
  std::optional<Difference> smallest;
  for (std::size_t run = 0; run < looked_at.run_events.size(); ++run) {
    const auto first = report_in(looked_at, a, run);
    const auto second = report_in(looked_at, b, run);
    if (!first || !second || *first == *second) continue;
    const std::uint64_t events = looked_at.run_events[run];
    if (smallest && smallest->events <= events) continue;
    smallest = Difference{*first ? a : b, *first ? b : a, 1, test, run, events};
  }
  return smallest;
}

std::string percent(std::optional<double> value) { return value ? fmt::format("{:.1f}", 100 * *value) : ""; }

std::string mark(const ValidationTest& test, const ValidationFinding& finding) {
  if (!finding.not_judged.empty()) return "not judged";
  if (!finding.failure.empty()) return "failed";
  if (finding.always(test.runs)) return "every run";
  if (finding.found()) return fmt::format("{} of {}", finding.racy_runs, test.runs);
  return test.is_silent(finding) ? "none" : "not known";
}

ScoreTable tests_table(const Validation& validation) {
  ScoreTable table{"tests", "Runs in which each detector reports a race", {"test", "label", "runs", "oracle"}, {}};
  table.heads.insert(table.heads.end(), validation.detectors.begin(), validation.detectors.end());
  for (const ValidationTest& test : validation.tests) {
    if (!test.is_usable()) continue;
    const auto oracle = oracle_verdict(test);
    std::vector<std::string> row = {test.name,
                                    !test.label   ? ""
                                    : *test.label ? "race"
                                                  : "norace",
                                    fmt::format("{}", test.runs),
                                    !oracle   ? "not known"
                                    : *oracle ? "race"
                                              : "norace"};
    for (const ValidationFinding& finding : test.findings) row.push_back(mark(test, finding));
    table.rows.push_back(std::move(row));
  }
  return table;
}

ScoreTable scores_table(const Validation& validation) {
  ScoreTable table{
      "scores",
      "Precision and recall by the label, in percent",
      {"detector", "precision", "recall", "recall in every run", "runs of racy tests", "with a report", "share"},
      {}};
  if (validation.is_sampled) table.heads.insert(table.heads.end(), {"95 % from", "to"});
  for (std::size_t i = 0; i < validation.detectors.size(); ++i) {
    const DetectorScore score = score_of(validation, i);
    std::vector<std::string> row = {validation.detectors[i],
                                    percent(score.precision.value()),
                                    percent(score.recall.value()),
                                    percent(score.recall_in_every_run.value()),
                                    fmt::format("{}", score.racy_runs.whole),
                                    fmt::format("{}", score.racy_runs.part),
                                    percent(score.racy_runs.value())};
    if (validation.is_sampled && score.racy_runs.whole > 0) {
      const Interval interval = wilson_interval(score.racy_runs);
      row.insert(row.end(), {percent(interval.low), percent(interval.high)});
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

ScoreTable first_races_table(const Validation& validation) {
  ScoreTable table{"first-races",
                   "The oracle's answer about the first race that each detector reports in a run",
                   {"detector", "runs", "real", "unordered", "refuted", "not known", "truth"},
                   {}};
  for (std::size_t i = 0; i < validation.detectors.size(); ++i) {
    const FirstRaces first = score_of(validation, i).first_races;
    const std::uint64_t known = first.real + first.unordered + first.refuted;
    if (known + first.unknown == 0) continue;
    table.rows.push_back({validation.detectors[i], fmt::format("{}", known + first.unknown),
                          fmt::format("{}", first.real), fmt::format("{}", first.unordered),
                          fmt::format("{}", first.refuted), fmt::format("{}", first.unknown),
                          percent(Share{first.real, known}.value())});
  }
  return table;
}

/// Returns the number of tests in which a detector finds a race. "4 (3)" means that it finds races in every run of
/// three tests. "4 of 5" means that it judges only five tests. Empty if the detector judges no test.
std::string found_text(const SortScore& sort, const SortScore::Found& found) {
  if (found.judged == 0) return {};
  std::string text = fmt::format("{}", found.in_some_run);
  if (found.judged < sort.tests) text += fmt::format(" of {}", found.judged);
  if (found.in_every_run < found.in_some_run) text += fmt::format(" ({})", found.in_every_run);
  return text;
}

ScoreTable sorts_table(const Validation& validation, std::string name, std::string title, std::string head,
                       const std::vector<SortScore>& sorts) {
  ScoreTable table{std::move(name), std::move(title), {std::move(head), "tests"}, {}};
  table.heads.insert(table.heads.end(), validation.detectors.begin(), validation.detectors.end());
  for (const SortScore& sort : sorts) {
    std::vector<std::string> row = {sort.sort, fmt::format("{}", sort.tests)};
    for (const SortScore::Found& found : sort.found) row.push_back(found_text(sort, found));
    table.rows.push_back(std::move(row));
  }
  return table;
}

ScoreTable differences_table(const Validation& validation) {
  ScoreTable table{"differences",
                   "Pairs of detectors that differ, and the smallest run in which they differ",
                   {"reports", "silent", "tests that differ", "test", "run", "events", "replay"},
                   {}};
  for (const Difference& one : differences(validation)) {
    const ValidationTest& test = validation.tests[one.test];
    table.rows.push_back({validation.detectors[one.reports], validation.detectors[one.silent],
                          fmt::format("{}", one.tests), test.name, fmt::format("{}", test.run_numbers[one.run]),
                          fmt::format("{}", one.events),
                          replay_command(validation, test, one.run, {one.reports, one.silent})});
  }
  return table;
}

ScoreTable cost_table(const Validation& validation) {
  ScoreTable table{"cost",
                   "Time over all runs and peak memory of each detector, measured separately",
                   {"detector", "events", "seconds", "M events/s", "KiB"},
                   {}};
  for (std::size_t i = 0; i < validation.costs.size(); ++i) {
    const DetectorCost& cost = validation.costs[i];
    if (cost.events == 0) continue;
    table.rows.push_back(
        {validation.detectors[i], fmt::format("{}", cost.events), fmt::format("{:.3f}", cost.seconds),
         cost.seconds > 0 ? fmt::format("{:.2f}", static_cast<double>(cost.events) / cost.seconds / 1e6) : "",
         fmt::format("{:.1f}", static_cast<double>(cost.bytes) / 1024)});
  }
  return table;
}

}  // namespace

std::optional<double> Share::value() const {
  if (whole == 0) return std::nullopt;
  return static_cast<double>(part) / static_cast<double>(whole);
}

Interval wilson_interval(const Share& share) {
  if (share.whole == 0) return {};
  const auto n = static_cast<double>(share.whole);
  const double p = static_cast<double>(share.part) / n;
  const double square = kQuantile * kQuantile;
  const double middle = (p + square / (2 * n)) / (1 + square / n);
  const double width = kQuantile / (1 + square / n) * std::sqrt(p * (1 - p) / n + square / (4 * n * n));
  return {std::max(0.0, middle - width), std::min(1.0, middle + width)};
}

DetectorScore score_of(const Validation& validation, std::size_t detector) {
  const ValidationCounts counts = count(validation, detector, Against::Label);
  DetectorScore score;
  score.precision = {counts.true_positives, counts.true_positives + counts.false_positives};
  score.recall = {counts.true_positives, counts.true_positives + counts.false_negatives};
  score.recall_in_every_run = {counts.in_every_run, counts.true_positives + counts.false_negatives};
  for (const ValidationTest& test : validation.tests) {
    if (!test.is_usable()) continue;
    score.first_races += test.findings[detector].first_races;
    if (!test.label.value_or(false)) continue;
    for (std::size_t run = 0; run < test.findings[detector].racy.size(); ++run) {
      const auto reported = report_in(test, detector, run);
      score.racy_runs.whole += reported ? 1 : 0;
      score.racy_runs.part += reported.value_or(false) ? 1 : 0;
    }
  }
  return score;
}

std::vector<SortScore> scores_by_kind(const Validation& validation) {
  std::vector<SortScore> scores;
  for (std::size_t kind = 0; kind < kRaceKinds; ++kind) {
    SortScore score = sort_score(validation, std::string(to_string(static_cast<RaceKind>(kind))),
                                 [&](const ValidationTest& test) { return test.oracle_kinds[kind]; });
    if (score.tests > 0) scores.push_back(std::move(score));
  }
  return scores;
}

std::vector<SortScore> scores_by_level(const Validation& validation) {
  std::vector<SortScore> scores;
  for (const RaceLevel level : {RaceLevel::Warp, RaceLevel::Block, RaceLevel::Device}) {
    SortScore score = sort_score(validation, std::string(to_string(level)), [&](const ValidationTest& test) {
      return test.oracle_levels[static_cast<std::size_t>(level)];
    });
    if (score.tests > 0) scores.push_back(std::move(score));
  }
  return scores;
}

std::vector<Difference> differences(const Validation& validation) {
  std::vector<Difference> all;
  for (std::size_t a = 0; a < validation.detectors.size(); ++a) {
    for (std::size_t b = a + 1; b < validation.detectors.size(); ++b) {
      std::optional<Difference> smallest;
      std::uint64_t tests = 0;
      for (std::size_t test = 0; test < validation.tests.size(); ++test) {
        if (!validation.tests[test].is_usable()) continue;
        const auto difference = difference_in(validation, test, a, b);
        if (!difference) continue;
        ++tests;
        if (!smallest || difference->events < smallest->events) smallest = difference;
      }
      if (!smallest) continue;
      smallest->tests = tests;
      all.push_back(*smallest);
    }
  }
  return all;
}

std::string replay_command(const Validation& validation, const ValidationTest& test, std::size_t run,
                           const std::vector<std::size_t>& detectors) {
  std::vector<std::string> words;
  std::string options;
  for (const std::size_t one : detectors) {
    if (validation.detector_words[one].empty()) continue;
    words.push_back(validation.detector_words[one]);
    options += validation.detector_options[one];
  }
  const std::string named = words.empty() ? "" : fmt::format(" --detector {}", fmt::join(words, ","));
  return fmt::format("ambit detect {} --only-run {}{}{}{}", test.file, test.run_numbers[run], validation.replay_options,
                     named, options);
}

std::vector<ScoreTable> score_tables(const Validation& validation) {
  std::vector<ScoreTable> tables = {
      tests_table(validation),
      scores_table(validation),
      first_races_table(validation),
      sorts_table(validation, "kinds",
                  "Tests by kind of race (oracle), and the number that each detector finds in some run (in every run)",
                  "kind", scores_by_kind(validation)),
      sorts_table(validation, "levels",
                  "Tests by level of race (oracle), and the number that each detector finds in some run (in every run)",
                  "level", scores_by_level(validation)),
      differences_table(validation),
      cost_table(validation)};
  std::erase_if(tables, [](const ScoreTable& table) { return table.rows.empty(); });
  return tables;
}

}  // namespace ambit::report
