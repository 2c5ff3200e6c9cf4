#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "report/results/tool_scores.h"
#include "report/results/validation.h"

namespace ambit::report {

/// The answers of one detector or tool about one suite, compared with the suite's labels.
struct ScoreboardFigure {
  std::uint64_t racy = 0;   ///< number of racy tests with an answer
  std::uint64_t found = 0;  ///< number of racy tests with a reported race
  std::uint64_t race_free = 0;
  std::uint64_t false_positives = 0;
  std::uint64_t no_answer = 0;  ///< number of labelled tests without an answer
  std::string page;             ///< file name of the page with the answers, relative to the scoreboard's page

  bool has_answer() const { return racy + race_free > 0; }
};

struct ScoreboardSuite {
  std::string name;             ///< the path that the user gave
  std::string folder;           ///< folder of the suite's pages, relative to the scoreboard's page
  std::uint64_t racy = 0;       ///< number of tests with the label race
  std::uint64_t race_free = 0;  ///< number of tests with the label norace
  std::uint64_t not_run = 0;    ///< number of tests that were not run or could not be read
  std::string command;          ///< command that repeats the detectors' runs
};

struct ScoreboardRow {
  std::string name;
  bool is_tool = false;                   ///< a tool that ran whole programs (validate --tool), not a detector
  std::string about;                      ///< settings of a tool's campaign; may be empty
  std::vector<ScoreboardFigure> figures;  ///< one element for each suite
};

/// All detectors and tools on all suites.
struct Scoreboard {
  std::vector<ScoreboardSuite> suites;
  std::vector<ScoreboardRow> rows;
};

/// Returns the suite without folder and command.
ScoreboardSuite scoreboard_suite(const Validation& validation);
/// Returns the figure of a detector, by the labels of the suite, without a page.
ScoreboardFigure figure_of(const Validation& validation, std::size_t detector);
/// Returns the figure of a tool, by the labels in its rows, without a page.
ScoreboardFigure figure_of(const ToolTable& table);

/// Returns the rows of a tool's campaign that are about labelled tests of the suite. A row and a test belong together
/// if they have the same file and the same name. Each row gets the label that its test has in `suite`. `not_run` is the
/// number of labelled tests without a row.
ToolTable rows_about(const Validation& suite, std::span<const ToolRow> rows);

}  // namespace ambit::report
