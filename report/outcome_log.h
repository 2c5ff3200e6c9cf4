#pragma once

#include <cstddef>
#include <cstdint>
#include <istream>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/source.h"

namespace ambit::report {

/// A final state: the value of each register ("0:r1") and memory cell ("x", "data[1]") that the log shows, by name. The
/// name of anything else that a state shows (a fault) has an empty value. One state has one form: names without
/// brackets and without the P of P0, numbers decimal.
using LogState = std::map<std::string, std::string>;

/// "0:r0=1; x=2;"
std::string state_text(const LogState& state);

/// One test of a log.
struct LoggedTest {
  std::string name;
  std::map<LogState, std::uint64_t> states;  ///< with how often each was seen; 1 where the log does not count
  bool is_histogram = false;                 ///< observed on a machine (litmus7), not allowed by a model (herd7)
  bool is_cut = false;                       ///< herd7's "Loop": a loop ran further than was looked at
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
/// is no state, a number of states other than announced, a test without an end (the log was cut off), a test that a
/// model gives two different sets of states (two models in one log), no test at all.
Result<OutcomeLog> read_log(std::istream& in, const std::string& path);

}  // namespace ambit::report
