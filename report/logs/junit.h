#pragma once

#include <string>

#include "report/results/test_result.h"

namespace ambit::report {

/// Collects results as JUnit XML for continuous-integration servers. The XML has one suite, with one case for each pair
/// of test and model. The class name of a case is the path of the file. FAIL becomes a failure; ERROR and UNKNOWN
/// become errors. Verdicts without an expectation and tests that did not run become skipped cases.
class JUnit {
 public:
  void add(const TestResult& test);
  /// Returns the whole document.
  std::string document() const;

 private:
  enum class Kind { Passed, Failure, Error, Skipped };
  void add_case(const std::string& file, const std::string& name, double milliseconds, Kind kind,
                const std::string& message, const std::string& text);
  void add_unexpected(const TestResult& test, const ModelResult& result, const std::string& name);

  std::string cases_;
  std::size_t tests_ = 0;
  std::size_t failures_ = 0;
  std::size_t errors_ = 0;
  std::size_t skipped_ = 0;
  double milliseconds_ = 0;
};

/// Escapes the characters in `text` that have a special meaning in XML. Replaces control characters by '?', and invalid
/// UTF-8 and noncharacters by U+FFFD.
std::string xml_escape(std::string_view text);

}  // namespace ambit::report
