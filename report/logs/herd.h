#pragma once

#include <map>
#include <string>
#include <vector>

#include "report/results/test_result.h"

namespace ambit::report {

/// Converts a test's name for the log-comparison tools: characters other than letters, digits and a few signs become
/// '_'.
std::string log_name(std::string name);

/// Returns the names of Program::observables in a log: "0:r0", "[x]", "data[1]".
std::vector<std::string> log_columns(const Program& program);

/// Gives each test in a log a unique name. Tests with the same memory, threads and instructions (test_hash) are the
/// same test.
class LogNames {
 public:
  /// Returns the test's name in the log: the test's own name, followed by a suffix such as ".2" if a different test has
  /// the same name.
  std::string name_of(const TestResult& test);

 private:
  std::map<std::string, std::string> tests_;  ///< for each name in the log, the hash and condition of its test
};

/// Returns the lines about a test in the format of herd7, which tools for comparing logs read (docs/reference/logs.md).
/// `name`: the test's name in the log. `seconds`: the value of the line Time. For an incomplete or missing verdict,
/// returns one line that tools do not read as a test. Returns an empty text for a verdict about termination.
std::string herd_log(const TestResult& test, const ModelResult& result, const std::string& name, double seconds);

/// Returns whether the log has the complete answer: no part of the verdict is Unknown.
bool is_decided(const ModelResult& result);

}  // namespace ambit::report
