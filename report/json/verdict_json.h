#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/results/test_result.h"

namespace ambit::report {

/// What JSON holds beyond the verdicts (docs/cli.md describes every field).
struct JsonOptions {
  bool witnesses = false;   ///< an execution for the condition and for each race
  bool statistics = false;  ///< times and counters: these differ from run to run
};

/// One element of "tests", as JSON text.
std::string test_json(const TestResult& test, const JsonOptions& options);

/// The whole document around the elements of "tests"; ends in a newline.
std::string json_document(std::string_view version, const std::vector<std::string>& tests);

}  // namespace ambit::report
