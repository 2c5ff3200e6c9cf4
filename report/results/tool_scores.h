#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "report/results/suite_about.h"

namespace ambit::report {

/// An external tool's answer about a test's program.
struct ToolRow {
  enum class Answer : std::uint8_t {
    Race,
    NoRace,
    NoProgram,  ///< CUDA C++ cannot express the test
    Failed,     ///< the program did not compile, or the tool failed
  };
  std::uint64_t number = 0;  ///< 0-based number among the tests of all shards
  std::string file;
  std::string test;
  std::optional<bool> label = {};  ///< whether the test is labelled as racy; absent without a label
  Answer answer = Answer::Failed;
  std::string why = {};                   ///< reason, if the answer is NoProgram or Failed
  std::vector<std::string> reports = {};  ///< the first output lines that report races
};
/// "race", "norace", "no program", "failed".
std::string_view to_string(ToolRow::Answer answer);
std::optional<ToolRow::Answer> answer_from_string(std::string_view text);

/// An external tool's answers about a suite.
struct ToolTable {
  std::string tool;
  std::string about;  ///< description of the tool; may be empty
  std::string suite;
  std::vector<SuiteAbout> suites = {};
  std::uint64_t runs = 0;     ///< number of runs of each program
  std::vector<ToolRow> rows;  ///< sorted by number.
  /// Number of tests without a row: tests that did not run before an interrupt, and tests of other shards.
  std::size_t not_run = 0;
};

/// How often a tool's answers agree with the labels.
struct ToolScores {
  std::size_t found = 0;         ///< tests labelled race, and the tool reported a race
  std::size_t missed = 0;        ///< tests labelled race, but the tool reported no race
  std::size_t false_alarms = 0;  ///< tests labelled norace, but the tool reported a race
  std::size_t silent = 0;        ///< tests labelled norace, and the tool reported no race
  std::size_t unlabelled = 0;    ///< tests with an answer, but without a label
  std::size_t no_program = 0;
  std::size_t failed = 0;
};
ToolScores scores_of(const ToolTable& table);

}  // namespace ambit::report
