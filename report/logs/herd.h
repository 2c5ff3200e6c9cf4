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

/// Unique names for the tests of a log. Two tests are equal if their memory, threads and instructions are equal
/// (test_hash).
class LogNames {
 public:
  /// Returns the name of the test in the log: the test's own name, followed by ".2" if another test has this name.
  std::string name_of(const TestResult& test);

 private:
  std::map<std::string, std::string> tests_;  ///< for each name, hash and condition of its test
};

/// Returns the block of a log that herd7 prints for a test, which the log-comparison tools read
/// (docs/reference/logs.md), under this name. `seconds`: the value of the line Time. An incomplete or missing verdict
/// gives one line that no tool reads as a test. Termination verdicts give nothing.
std::string herd_log(const TestResult& test, const ModelResult& result, const std::string& name, double seconds);

/// Returns whether the log has the complete answer: no part of it is Unknown.
bool is_decided(const ModelResult& result);

}  // namespace ambit::report
