#pragma once

#include <cstdint>
#include <istream>
#include <map>
#include <string>
#include <vector>

#include "base/source.h"

namespace ambit::report {

/// A final state in normal form, such as "0:r1=1; data[1]=0; x=2;". The names are sorted. Names have no brackets, and
/// threads have no P: "0:r1", not "P0:r1". Numbers are decimal. A name without a value denotes a fault. The text is
/// empty if no values are observed.
using LogState = std::string;

/// Returns the names and values of a state.
std::map<std::string, std::string> bindings_of(const LogState& state);
/// The inverse of bindings_of().
LogState state_of(const std::map<std::string, std::string>& bindings);

/// One test of a log.
struct LoggedTest {
  std::string name;
  std::map<LogState, std::uint64_t> states;  ///< number of occurrences of each state; 1 if the log has no counts.
  /// Whether the states are observations on a machine (litmus7) and not the states that a model allows (herd7).
  bool is_histogram = false;
  /// Whether the log has herd7's line "Loop": the test has a loop that ran further than herd7 explored.
  bool is_cut = false;
  /// Whether the log has Ambit's "Undecided" line: the model's states are unknown.
  bool is_undecided = false;
  std::string hash;        ///< may be empty
  std::uint32_t line = 0;  ///< number of the test's first line
};

/// A log of tests in the format of herd7, litmus7 and `ambit check --format herd` (docs/reference/logs.md).
struct OutcomeLog {
  std::string path;
  std::map<std::string, LoggedTest> tests;  ///< tests by name
  std::vector<std::string> warnings;        ///< warnings about possible mistakes in a readable log: "log:12: ..."
};

/// Reads a log line by line, and stores only its states. Skips lines that do not belong to a test. If a test was run
/// several times, merges its states and adds its counts. Errors, with their place: a line that is not a state; a
/// duplicate state; a state that gives a name two values; a malformed count; a number of states that differs from the
/// announced number; a test without an end (a truncated log); a test with two different sets of a model's states (two
/// models in one log); a log without a test.
Result<OutcomeLog> read_log(std::istream& in, const std::string& path);

}  // namespace ambit::report
