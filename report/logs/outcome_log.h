#pragma once

#include <cstdint>
#include <istream>
#include <map>
#include <string>
#include <vector>

#include "core/source.h"

namespace ambit::report {

/// A final state as a log shows it, in one form: "0:r1=1; data[1]=0; x=2;" is sorted by name, names are without
/// brackets and without the P of P0, numbers decimal. What has no value (a fault) is named alone. Empty where nothing
/// is observed.
using LogState = std::string;

/// The names and values of a state.
std::map<std::string, std::string> bindings_of(const LogState& state);
/// The opposite.
LogState state_of(const std::map<std::string, std::string>& bindings);

/// One test of a log.
struct LoggedTest {
  std::string name;
  std::map<LogState, std::uint64_t> states;  ///< with how often each was seen; 1 where the log does not count
  bool is_histogram = false;                 ///< observed on a machine (litmus7), not allowed by a model (herd7)
  bool is_cut = false;                       ///< herd7's "Loop": a loop ran further than was looked at
  bool is_undecided = false;                 ///< an "Undecided" line of ours: the model's states are not known
  std::string hash;                          ///< empty: none given
  std::uint32_t line = 0;                    ///< of its first line
};

/// A log of tests as herd7, litmus7 and `ambit check --format herd` print it (docs/logs.md).
struct OutcomeLog {
  std::string path;
  std::map<std::string, LoggedTest> tests;  ///< by name
  std::vector<std::string> warnings;        ///< "log:12: ...": what may be wrong with the log, though it can be read
};

/// Reads a log line by line, holding nothing of it but its states. Lines that belong to no test are skipped. A test
/// that was run several times is one test: its states are put together, its counts added. Errors, located: a line that
/// is no state, a state that stands twice or gives a name two values, a count that is none, a number of states other
/// than announced, a test without an end (the log was cut off), a test that a model gives two different sets of states
/// (two models in one log), no test at all.
Result<OutcomeLog> read_log(std::istream& in, const std::string& path);

}  // namespace ambit::report
