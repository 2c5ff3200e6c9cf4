#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "report/results/suite_about.h"

namespace ambit::report {

/// The answer of an external tool about the program of a test.
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
  std::vector<std::string> reports = {};  ///< first lines of the output that report races
};
/// "race", "norace", "no program", "failed".
std::string_view to_string(ToolRow::Answer answer);
std::optional<ToolRow::Answer> answer_from_string(std::string_view text);

/// The answers of an external tool about a suite.
struct ToolTable {
  std::string tool;
  std::string about;  ///< description of the tool; may be empty
  std::string suite;
  std::vector<SuiteAbout> suites = {};
  std::uint64_t runs = 0;     ///< number of runs of each program
  std::vector<ToolRow> rows;  ///< sorted by number.
  /// Number of tests without a row. Such a test did not run because of an interrupt, or belongs to another shard.
  std::size_t not_run = 0;
};

/// How often a tool's answers agree with the labels.
struct ToolScores {
  std::size_t found = 0;         ///< label race, and a race was reported
  std::size_t missed = 0;        ///< label race, but no race was reported
  std::size_t false_alarms = 0;  ///< label norace, but a race was reported
  std::size_t silent = 0;        ///< label norace, and no race was reported
  std::size_t unlabelled = 0;    ///< the test has an answer, but no label
  std::size_t no_program = 0;
  std::size_t failed = 0;
};
ToolScores scores_of(const ToolTable& table);

}  // namespace ambit::report
