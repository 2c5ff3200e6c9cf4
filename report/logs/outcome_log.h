#pragma once

#include <cstdint>
#include <istream>
#include <map>
#include <string>
#include <vector>

#include "core/source.h"

namespace ambit::report {

/// A final state of a log in normal form: "0:r1=1; data[1]=0; x=2;" is sorted by name, names are without brackets and
/// without the P of P0, numbers are decimal. A name without a value (a fault) stays alone. Empty if nothing is
/// observed.
using LogState = std::string;

/// Returns the names and values of a state.
std::map<std::string, std::string> bindings_of(const LogState& state);
/// The inverse of bindings_of().
LogState state_of(const std::map<std::string, std::string>& bindings);

/// One test of a log.
struct LoggedTest {
  std::string name;
  std::map<LogState, std::uint64_t> states;  ///< with the number of occurrences; 1 if the log does not count
  bool is_histogram = false;                 ///< observed on a machine (litmus7) instead of allowed by a model (herd7)
  bool is_cut = false;                       ///< herd7's "Loop": a loop ran further than herd7 explored
  bool is_undecided = false;                 ///< an "Undecided" line of Ambit: the model's states are unknown
  std::string hash;                          ///< empty: none given
  std::uint32_t line = 0;                    ///< of its first line
};

/// A log of tests as herd7, litmus7 and `ambit check --format herd` print it (docs/logs.md).
struct OutcomeLog {
  std::string path;
  std::map<std::string, LoggedTest> tests;  ///< by name
  std::vector<std::string> warnings;        ///< "log:12: ...": possible mistakes in a log that can be read
};

/// Reads a log line by line, and stores only its states. Skips lines that belong to no test. A test that was run
/// several times is one test: its states are merged, its counts added. Errors, with their place: a line that is not a
/// state; a duplicate state, or one that gives a name two values; a malformed count; a number of states other than
/// announced; a test without an end (a truncated log); a test with two different sets of states of a model (two models
/// in one log); no test at all.
Result<OutcomeLog> read_log(std::istream& in, const std::string& path);

}  // namespace ambit::report
