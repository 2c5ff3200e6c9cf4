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
/// Converts names and values into a state: the inverse of bindings_of().
LogState state_of(const std::map<std::string, std::string>& bindings);

/// One test of a log.
struct LoggedTest {
  std::string name;
  std::map<LogState, std::uint64_t> states;  ///< each state's number of occurrences; 1 if the log has no counts
  /// Whether a machine showed the states (litmus7). If false, the states are those that a model allows (herd7).
  bool is_histogram = false;
  /// Whether the log has herd7's line "Loop": a loop of the test can run further than herd7 explored.
  bool is_cut = false;
  /// Whether the log has Ambit's "Undecided" line: the model's states are unknown.
  bool is_undecided = false;
  std::string hash;        ///< may be empty
  std::uint32_t line = 0;  ///< number of the line at which the test begins
};

/// A log of tests in the format of herd7, litmus7 and `ambit check --format herd` (docs/reference/logs.md).
struct OutcomeLog {
  std::string path;
  std::map<std::string, LoggedTest> tests;  ///< tests by name
  std::vector<std::string> warnings;        ///< warnings about possible mistakes in a readable log: "log:12: ..."
};

/// Reads a log line by line, and stores only its states. Skips lines that do not belong to a test. If the log contains
/// several runs of a test, merges the states and adds up the counts. Errors, with their place: a line is not a state; a
/// state is duplicate or gives a name two values; a count is malformed; the number of states differs from the announced
/// number; the log is truncated within a test; a model gives two different sets of states for a test (two models in one
/// log); the log has no test.
Result<OutcomeLog> read_log(std::istream& in, const std::string& path);

}  // namespace ambit::report
