#pragma once

#include <map>
#include <string>
#include <vector>

#include "report/results/test_result.h"

namespace ambit::report {

/// Converts a test's name into a name that tools for comparing logs accept. Replaces characters other than letters,
/// digits and a few signs by '_'.
std::string log_name(std::string name);

/// Returns the names that Program::observables have in a log: "0:r0", "[x]", "data[1]".
std::vector<std::string> log_columns(const Program& program);

/// Gives each test in a log a unique name. If two tests have the same memory, threads and instructions (test_hash),
/// they count as the same test.
class LogNames {
 public:
  /// Returns the test's name in the log: the test's own name, followed by a suffix such as ".2" if a different test has
  /// the same name.
  std::string name_of(const TestResult& test);

 private:
  std::map<std::string, std::string> tests_;  ///< for each name in the log, the hash and condition of its test
};

/// Returns the lines about a test in the format of herd7, which tools for comparing logs read (docs/reference/logs.md).
/// `name`: the test's name in the log. `seconds`: the time to print on the line "Time". For an incomplete or missing
/// verdict, returns one line that tools do not read as a test. Returns an empty text for a verdict about termination.
std::string herd_log(const TestResult& test, const ModelResult& result, const std::string& name, double seconds);

/// Returns whether a log contains the complete answer, because no part of the verdict is Unknown.
bool is_decided(const ModelResult& result);

}  // namespace ambit::report
