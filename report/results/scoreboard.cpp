#include "report/results/scoreboard.h"

#include <map>
#include <utility>

namespace ambit::report {

ScoreboardSuite scoreboard_suite(const Validation& validation) {
  ScoreboardSuite suite;
  suite.name = validation.suite;
  for (const ValidationTest& test : validation.tests) {
    if (!test.is_usable()) {
      ++suite.not_run;
    } else if (test.label) {
      ++(*test.label ? suite.racy : suite.race_free);
    }
  }
  return suite;
}

ScoreboardFigure figure_of(const Validation& validation, std::size_t detector) {
  const ValidationCounts counts = count(validation, detector, Against::Label);
  return {.racy = counts.true_positives + counts.false_negatives,
          .found = counts.true_positives,
          .race_free = counts.false_positives + counts.true_negatives,
          .false_positives = counts.false_positives,
          .no_answer = counts.not_judged + counts.not_known,
          .page = {}};
}

ScoreboardFigure figure_of(const ToolTable& table) {
  const ToolScores scores = scores_of(table);
  return {.racy = scores.found + scores.missed,
          .found = scores.found,
          .race_free = scores.false_alarms + scores.silent,
          .false_positives = scores.false_alarms,
          .no_answer = scores.no_program + scores.failed + table.not_run,
          .page = {}};
}

ToolTable rows_about(const Validation& suite, std::span<const ToolRow> rows) {
  std::map<std::pair<std::string, std::string>, const ToolRow*> by_test;
  for (const ToolRow& row : rows) by_test[{row.file, row.test}] = &row;
  ToolTable table;
  table.suite = suite.suite;
  table.suites = suite.suites;
  for (const ValidationTest& test : suite.tests) {
    if (!test.is_usable() || !test.label) continue;
    const auto found = by_test.find({test.file, test.name});
    if (found == by_test.end()) {
      ++table.not_run;
      continue;
    }
    table.rows.push_back(*found->second);
    table.rows.back().label = test.label;
  }
  return table;
}

}  // namespace ambit::report
