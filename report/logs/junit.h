#pragma once

#include <string>

#include "report/results/test_result.h"

namespace ambit::report {

/// Gathers results into the XML that continuous-integration servers read: one suite, one case a (test, model), the file
/// as the class name. FAIL is a failure; ERROR and UNKNOWN are errors; a verdict with nothing expected or a test not
/// run is skipped.
class JUnit {
 public:
  void add(const TestResult& test);
  /// The whole document.
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

/// `text` with the characters that XML reserves escaped, control characters replaced by '?', and what is no UTF-8 or no
/// character by U+FFFD.
std::string xml_escape(std::string_view text);

}  // namespace ambit::report
