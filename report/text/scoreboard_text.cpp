#include "report/text/scoreboard_text.h"

#include <fmt/format.h>

#include "base/plural.h"
#include "report/text/table.h"

namespace ambit::report {
namespace {

std::string share_text(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? "-" : fmt::format("{}/{}", part, whole);
}

/// Returns the column heads for a suite. They give the suite's number in the list below the table.
std::string head(std::size_t suite, std::string_view column) { return fmt::format("[{}] {}", suite + 1, column); }

}  // namespace

std::string scoreboard_text(const Scoreboard& board) {
  std::vector<Table::Align> columns(1 + 2 * board.suites.size(), Table::Align::Right);
  columns.front() = Table::Align::Left;
  Table table(columns);
  std::vector<std::string> heads = {"detector or tool"};
  for (std::size_t i = 0; i < board.suites.size(); ++i) {
    heads.push_back(head(i, "found"));
    heads.push_back("false");
  }
  table.add(heads);
  table.add_rule();
  for (const ScoreboardRow& row : board.rows) {
    std::vector<std::string> cells = {row.name};
    for (const ScoreboardFigure& figure : row.figures) {
      cells.push_back(share_text(figure.found, figure.racy));
      cells.push_back(share_text(figure.false_positives, figure.race_free));
    }
    table.add(std::move(cells));
  }
  std::string text = table.render() + "\n";
  for (std::size_t i = 0; i < board.suites.size(); ++i) {
    const ScoreboardSuite& suite = board.suites[i];
    text += fmt::format("[{}] {}: {}, {}", i + 1, suite.name, plural(suite.racy, "racy test"),
                        plural(suite.race_free, "race-free test"));
    if (suite.not_run > 0) text += fmt::format("; {} not run", plural(suite.not_run, "test"));
    text += "\n";
  }
  return text +
         "found: racy tests with a reported race; false: race-free tests with a reported race. Tests without an "
         "answer do not count.\n";
}

}  // namespace ambit::report
