#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "report/results/tool_scores.h"
#include "report/results/validation.h"

namespace ambit::report {

/// Compares the answers of one detector or tool about one suite with the suite's labels.
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
  bool is_tool = false;                   ///< whether the row is a tool that ran whole programs (validate --tool)
  std::string about;                      ///< settings of the campaign that ran the tool; may be empty
  std::vector<ScoreboardFigure> figures;  ///< one figure for each suite
};

/// All detectors and tools on all suites.
struct Scoreboard {
  std::vector<ScoreboardSuite> suites;
  std::vector<ScoreboardRow> rows;
};

/// Returns a suite's data, without folder and command.
ScoreboardSuite scoreboard_suite(const Validation& validation);
/// Returns a detector's figure for a suite, without a page. Compares the detector's answers with the suite's labels.
ScoreboardFigure figure_of(const Validation& validation, std::size_t detector);
/// Returns a tool's figure, without a page. Compares the answers in the tool's rows with the labels in the rows.
ScoreboardFigure figure_of(const ToolTable& table);

/// Returns the rows of a tool's campaign for the suite's labelled tests. A row belongs to a test if both have the same
/// file and the same name. Each row gets the label that its test has in `suite`. `not_run` is the number of labelled
/// tests without a row.
ToolTable rows_about(const Validation& suite, std::span<const ToolRow> rows);

}  // namespace ambit::report
