#pragma once

#include <map>
#include <string>
#include <vector>

#include "report/results/test_result.h"

namespace ambit::report {

/// A test's name as the tools accept it: other characters than letters, digits and a few signs become '_'.
std::string log_name(std::string name);

/// The names of Program::observables in a log: "0:r0", "[x]", "data[1]".
std::vector<std::string> log_columns(const Program& program);

/// Gives each test of one log a name of its own. Two tests are the same where their memory, threads and instructions
/// are (test_hash).
class LogNames {
 public:
  /// The name of the test in the log: its own, or with ".2" behind it where another test has that name.
  std::string name_of(const TestResult& test);

 private:
  std::map<std::string, std::string> tests_;  ///< by name: hash and condition
};

/// The block of a log that herd7 prints for a test, which the log-comparison tools read (docs/logs.md), under this
/// name. `seconds`: what the line Time says. A verdict that is not complete, or none, gives one line that no tool takes
/// for a test. Termination verdicts give nothing.
std::string herd_log(const TestResult& test, const ModelResult& result, const std::string& name, double seconds);

/// The log says everything about this result: no part of the answer is Unknown.
bool is_decided(const ModelResult& result);

}  // namespace ambit::report
